package code

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// project makes 2,000 files of 12 KB on average from the fixtures of all languages.
func project(b *testing.B) (dir string, size int64) {
	b.Helper()
	dir = b.TempDir()
	samples, err := filepath.Glob(filepath.Join("..", "outline", "testdata", "*"))
	if err != nil {
		b.Fatal(err)
	}
	var texts [][]byte
	var names []string
	for _, s := range samples {
		if strings.HasSuffix(s, ".outline") {
			continue
		}
		text, err := os.ReadFile(s)
		if err != nil {
			b.Fatal(err)
		}
		texts, names = append(texts, text), append(names, strings.TrimSuffix(filepath.Base(s), ".src"))
	}
	for i := range 2000 {
		text := bytes.Repeat(texts[i%len(texts)], 1+(i%9))
		name := filepath.Join(dir, fmt.Sprintf("d%d", i%50), fmt.Sprintf("f%d", i), names[i%len(names)])
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			b.Fatal(err)
		}
		size += int64(len(text))
	}
	return dir, size
}

func BenchmarkFirstWalk(b *testing.B) {
	dir, size := project(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		found := 0
		met, err := Walk(context.Background(), dir, Options{}, nil, func(f File) error {
			found += len(f.Snippets)
			return nil
		})
		if err != nil || met.Read != 2000 {
			b.Fatalf("%+v, %v", met, err)
		}
		b.ReportMetric(float64(found), "snippets")
	}
}

func BenchmarkWalkOfNothingNew(b *testing.B) {
	dir, size := project(b)
	known := map[string]State{}
	keep := func(f File) error {
		known[f.Path] = f.State
		return nil
	}
	if _, err := Walk(context.Background(), dir, Options{}, nil, keep); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(size)
	for b.Loop() {
		if met, err := Walk(context.Background(), dir, Options{}, known, keep); err != nil || met.Read != 0 {
			b.Fatalf("%+v, %v", met, err)
		}
	}
}
