// Package webui holds the page on which people see and correct their memory: its files, which tools/page makes of the sources beside this
// one, and a copy of it as one file.
package webui

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed dist
var dist embed.FS

// Assets are the files of the page.
func Assets() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}

// SourceSum is the hash of all that the page is made of, below the folder of this package.
func SourceSum(dir fs.FS) (string, error) {
	sum := sha256.New()
	for _, folder := range []string{"packages", "src"} {
		err := fs.WalkDir(dir, folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := fs.ReadFile(dir, name)
			fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("sources of the page: %w", err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Copy is the page as one file with data in it, which asks nobody for anything. The data is JSON in which < is escaped.
func Copy(data []byte) ([]byte, error) {
	read := func(name string) string {
		text, err := fs.ReadFile(Assets(), name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(text)
	}
	if bytes.ContainsRune(data, '<') {
		return nil, errors.New("copy of the page: the data could end the script that holds it")
	}
	script, style := read("app.js"), read("app.css")
	allowed := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	policy := "default-src 'none'; img-src data:; script-src " + allowed(script) + "; style-src " + allowed(style) + "; base-uri 'none'; form-action 'none'"
	page := read("index.html")
	for _, change := range [][2]string{
		{`<meta charset="utf-8">`, `<meta charset="utf-8">` + "\n" + `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`},
		{`<link rel="icon" href="icon.svg">`, `<link rel="icon" href="data:,">`},
		{`<link rel="stylesheet" href="app.css">`, "<style>" + style + "</style>"},
		{`<script src="app.js"></script>`, `<script type="application/json" id="export">` + string(data) + "</script>\n<script>" + script + "</script>"},
	} {
		if strings.Count(page, change[0]) != 1 {
			return nil, fmt.Errorf("copy of the page: index.html has no %s", change[0])
		}
		page = strings.Replace(page, change[0], change[1], 1)
	}
	return []byte(page), nil
}
