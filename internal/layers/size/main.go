// Command size prints how large each package of the product is and how many of its files depend on each other in a circle. Run it in
// the repository: go run ./internal/layers/size
package main

import (
	"fmt"
	"os"

	"github.com/hebb-memory/hebb/internal/layers"
)

func main() {
	sizes, err := layers.Measure(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
	fmt.Print(layers.Table(sizes))
}
