// Command size prints how large each package of the product is and how many of its files depend on each other in a circle. Run it in
// the repository: go run ./internal/layers/size. With -write it renews the table in ARCHITECTURE.md.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/hebb-memory/hebb/internal/layers"
)

func main() {
	write := flag.Bool("write", false, "renew the table in ARCHITECTURE.md")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	sizes, err := layers.Measure(".")
	if err != nil {
		return err
	}
	if !write {
		_, err = os.Stdout.WriteString(layers.Table(sizes))
		return err
	}
	page, err := os.ReadFile(layers.Page)
	if err != nil {
		return err
	}
	text, err := layers.WithTable(string(page), sizes)
	if err != nil {
		return err
	}
	return os.WriteFile(layers.Page, []byte(text), 0o644)
}
