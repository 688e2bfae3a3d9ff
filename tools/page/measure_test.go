package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/inspect"
)

func TestMeasure(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip()
	}
	m := open(t)
	m.clock = time.Now().Add(-time.Minute)
	s := time.Now()
	m.many(t.Context(), 100_000)
	fmt.Println("made", time.Since(s))
	for _, c := range []inspect.RememberedInput{
		{Scope: brain.Scope{All: true}, Limit: 100}, {Scope: brain.Scope{All: true}, Limit: 100, Offset: 50000}, {Scope: brain.Scope{All: true}, Limit: 100, Offset: 99000},
		{Scope: m.scope(), Limit: 100, Offset: 0}, {Scope: m.scope(), Limit: 100, Offset: 99000}, {Scope: brain.Scope{All: true}, Limit: 100, Contains: "newsletter is rebuilt"},
	} {
		for range 2 {
			s := time.Now()
			p := do(m, inspect.RememberedList, c)
			fmt.Println(c.Offset, c.Contains, c.Dir != "", p.Total, len(p.Rows), time.Since(s))
		}
	}
}
