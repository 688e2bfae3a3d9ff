package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/mcpserver"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// docsCommand writes the references that are made from the program itself. A test compares them with docs/.
func (a *app) docsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "docs FOLDER", Short: "Write the generated references (make docs)", Hidden: true,
		Args: arguments(1, 1, "the docs folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for name, text := range references(cmd.Root()) {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), fs.FileMode(0o644)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

const generated = "<!-- Written by `make docs`; do not edit. -->\n\n"

// references are the generated pages by file name.
func references(root *cobra.Command) map[string]string {
	return map[string]string{
		"cli.md": cliReference(root), "tuning.md": tuningReference(tuning.Default().Table()),
		"mcp.md": "# Model Context Protocol\n\n" + generated + mcpserver.Reference(),
	}
}

func cliReference(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Command reference\n\n" + generated)
	b.WriteString("Every command takes `--json` for programs and `--no-color`. " + strings.ReplaceAll(exitCodes, "\n", " ") + "\n")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "help" {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n```\n%s\n```\n", cmd.CommandPath(), cmd.Short, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		if cmd.Long != "" {
			fmt.Fprintf(&b, "\n%s\n", cmd.Long)
		}
		if flags := strings.TrimRight(cmd.LocalNonPersistentFlags().FlagUsagesWrapped(helpWidth), "\n"); flags != "" {
			fmt.Fprintf(&b, "\n```\n%s\n```\n", flags)
		}
		if cmd.Example != "" {
			fmt.Fprintf(&b, "\n```sh\n%s\n```\n", undent(cmd.Example))
		}
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return b.String()
}

func undent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

func tuningReference(table []tuning.Setting) string {
	var b strings.Builder
	b.WriteString("# Tuning\n\n" + generated)
	b.WriteString("The settings of hebb. `hebb tuning` shows their values on your machine.\n" +
		"To change one, put it into `config.toml` in the data folder, in the unit of the table or as a duration:\n\n" +
		"```toml\n[tuning.session]\nidle_after = 20   # or \"20m\"\n```\n\n" +
		"An unknown name or a value out of range is an error that names the setting.\n\n")
	b.WriteString("| name | default | range | meaning |\n|---|---|---|---|\n")
	for _, e := range table {
		fmt.Fprintf(&b, "| `%s` | %s %s | %s–%s | %s |\n", e.Name, tuning.Figure(e.Default), e.Unit, tuning.Figure(e.Min), tuning.Figure(e.Max), e.Meaning)
	}
	return b.String()
}
