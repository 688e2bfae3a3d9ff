// Command page makes the files of the page, internal/webui/dist, from its sources: cd tools/page && go run . It is a module of its own, so
// that hebb does not depend on esbuild.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/hebb-memory/hebb/internal/webui"
)

func main() {
	if err := run("../../internal/webui"); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// run writes the files of the page into the folder dist beside its sources.
func run(dir string) error {
	files, err := bundle(dir)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "dist", name), text, 0o644); err != nil {
			return err
		}
		fmt.Printf("%8d  %s\n", len(text), name)
	}
	return nil
}

// packages are where the names in imports lead, below packages.
var packages = map[string]string{
	"preact": "preact/preact.mjs", "preact/hooks": "preact/hooks/hooks.mjs", "preact/jsx-runtime": "preact/jsx-runtime/jsxRuntime.mjs",
	"@preact/signals": "signals/signals.mjs", "@preact/signals-core": "signals-core/signals-core.mjs",
	"@tanstack/virtual-core": "virtual-core/index.js",
	"dompurify":              "dompurify/purify.es.mjs", "marked": "marked/marked.esm.js",
}

// bundle makes the files of the page.
func bundle(dir string) (map[string][]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	alias := map[string]string{}
	for name, file := range packages {
		alias[name] = filepath.Join(dir, "packages", filepath.FromSlash(file))
	}
	result := api.Build(api.BuildOptions{
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: filepath.Join(dir, "src", "main.tsx"), OutputPath: "app"}, {InputPath: filepath.Join(dir, "src", "app.css"), OutputPath: "app"},
		},
		AbsWorkingDir: dir, Outdir: filepath.Join(dir, "dist"), Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, Alias: alias,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetUTF8, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", TsconfigRaw: `{}`,
		Define: map[string]string{"process.env.NODE_ENV": `"production"`},
	})
	files := map[string][]byte{}
	var problems []string
	for _, m := range append(result.Errors, result.Warnings...) {
		where := ""
		if m.Location != nil {
			where = fmt.Sprintf("%s:%d: ", m.Location.File, m.Location.Line)
		}
		problems = append(problems, where+m.Text)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("bundle:\n%s", strings.Join(problems, "\n"))
	}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	for _, name := range []string{"index.html", "icon.svg"} {
		if files[name], err = os.ReadFile(filepath.Join(dir, "src", name)); err != nil {
			return nil, err
		}
	}
	sum, err := webui.SourceSum(os.DirFS(dir))
	files["sources.sha256"] = []byte(sum + "\n")
	return files, err
}
