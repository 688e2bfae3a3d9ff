package main

import (
	"strings"
	"testing"
)

const passes = `{"Action":"pass","Package":"p","Test":"TestGood"}
`

// Each kind of ending, in a run of its own.
func TestNothingThatWasNotRunPassesForSuccess(t *testing.T) {
	for _, c := range []struct {
		name, events string
		local, ci    bool     // whether the run fails
		want         []string // in what is printed
	}{
		{"all pass", passes, false, false, []string{"1 passed, 0 failed, 0 skipped"}},
		{
			"a skip", passes + `{"Action":"output","Package":"p","Test":"TestAway","Output":"    p_test.go:3: for want of a server\n"}
{"Action":"skip","Package":"p","Test":"TestAway"}`, false, true,
			[]string{"SKIP p TestAway: p_test.go:3: for want of a server", "1 passed, 0 failed, 1 skipped"},
		},
		{
			"a test that passes and says NOT CHECKED", `{"Action":"output","Package":"p","Test":"TestDisk","Output":"=== NOT CHECKED: no disk was full\n"}
{"Action":"pass","Package":"p","Test":"TestDisk"}`, false, true, []string{"p TestDisk: === NOT CHECKED: no disk was full", "1 skipped"},
		},
		{
			"a failure is shown whole", `{"Action":"output","Package":"p","Test":"TestBad","Output":"first line\n"}
{"Action":"output","Package":"p","Test":"TestBad","Output":"second line\n"}
{"Action":"fail","Package":"p","Test":"TestBad"}
{"Action":"fail","Package":"p"}`, true, true, []string{"FAIL p TestBad\nfirst line\nsecond line\n", "0 passed, 1 failed, 0 skipped"},
		},
		{
			"a panic outside of a test", `{"Action":"output","Package":"p","Output":"panic: no\n"}
{"Action":"fail","Package":"p"}`, true, true, []string{"panic: no", "outside of any test"},
		},
		{
			"a package that does not compile", `{"ImportPath":"p","Action":"build-output","Output":"p.go:1: undefined\n"}
{"ImportPath":"p","Action":"build-fail"}`, true, true, []string{"p.go:1: undefined"},
		},
		{"words that go itself prints", "go: no module\n", false, false, []string{"go: no module"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for ci, want := range map[bool]bool{false: c.local, true: c.ci} {
				var printed strings.Builder
				r := &report{to: &printed, output: map[key][]string{}}
				r.read(strings.NewReader(c.events))
				if r.close(ci) != want {
					t.Errorf("CI %v: fails %v, want %v", ci, !want, want)
				}
				for _, want := range c.want {
					if !strings.Contains(printed.String(), want) {
						t.Errorf("no %q in\n%s", want, printed.String())
					}
				}
			}
		})
	}
}

// Whoever renames a package renames it in the list.
func TestThePackagesThatAreRacedAreThere(t *testing.T) {
	t.Chdir("../..")
	plain, watched, shared, err := split(t.Context(), []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	if len(watched) != len(raced) || len(shared) != 1 || len(plain) < 50 {
		t.Errorf("%d are watched and %d are not: %s", len(watched), len(plain), watched)
	}
}
