package cli

import (
	"fmt"
	"strings"

	"github.com/hebb-memory/hebb/internal/tuning"
)

// tuningMarkdown is the table of docs/tuning.md.
func tuningMarkdown(table []tuning.Entry) string {
	var b strings.Builder
	b.WriteString("| name | default | unit | range | meaning | source |\n|---|---|---|---|---|---|\n")
	for _, e := range table {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s–%s | %s | %s |\n", e.Name, tuning.Figure(e.Default), e.Unit,
			tuning.Figure(e.Min), tuning.Figure(e.Max), e.Meaning, e.Source)
	}
	return b.String()
}
