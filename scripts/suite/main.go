// Command suite runs every test once and says what was not run: go run ./scripts/suite [PACKAGE…]. Packages that
// goroutines share run with the race detector. HEBB_TESTS=full runs every case and round of the tests that otherwise try a part. Failures are shown whole; the last line counts. With CI=true a skip fails
// the run, and so does whatever a test or a script has called NOT RUN or NOT CHECKED.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	r := &report{to: os.Stdout, output: map[key][]string{}}
	if err := run(context.Background(), r, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "suite:", err)
		os.Exit(2)
	}
	if r.close(os.Getenv("CI") == "true") {
		os.Exit(1)
	}
}

// unwatched are C libraries made into Go: watching each of their memory accesses finds nothing of ours and took seven
// eighths of the time.
var unwatched = []string{"modernc.org/sqlite/lib", "modernc.org/libc", "modernc.org/memory"}

func run(ctx context.Context, r *report, packages []string) error {
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	plain, watched, shared, err := split(ctx, packages)
	if err != nil {
		return err
	}
	race := []string{"-race"}
	for _, path := range unwatched {
		race = append(race, "-gcflags="+path+"=-race=false -d=checkptr=0")
	}
	if _, err := exec.LookPath("gcc"); err != nil && len(watched)+len(shared) > 0 {
		r.absent = append(r.absent, "NOT RUN: the race detector, for want of a C compiler (Debian: apt-get install gcc libc6-dev)")
		plain, watched, shared = slices.Concat(plain, watched), nil, nil
	}
	return errors.Join(r.test(ctx, "CGO_ENABLED=0", nil, plain), r.test(ctx, "CGO_ENABLED=1", race, watched),
		r.test(ctx, "CGO_ENABLED=1", append(race, "-run="+together), shared))
}

// raced are the packages whose callers share what they have between goroutines.
var raced = []string{"/internal/spool", "/internal/daemon", "/internal/httpapi"}

// Most tests of the store have one goroutine. All run without the detector, those together with it as well.
const (
	sharedStore = "/internal/store/sqlite"
	together    = "^TestContract$/^(transactions|migrations)$|^Test(Reading|FirstOpeners|ARestoreIsSeen|AWrite|TwoUses)"
)

func split(ctx context.Context, packages []string) (plain, watched, shared []string, err error) {
	list := exec.CommandContext(ctx, "go", append([]string{"list"}, packages...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	for _, path := range strings.Fields(string(out)) {
		if slices.ContainsFunc(raced, func(end string) bool { return strings.HasSuffix(path, end) }) {
			watched = append(watched, path)
			continue
		}
		plain = append(plain, path)
		if strings.HasSuffix(path, sharedStore) {
			shared = append(shared, path)
		}
	}
	return plain, watched, shared, err
}

// key names a test, or a package with an empty test.
type key struct{ pkg, test string }

// report collects what tests say and how they end.
type report struct {
	to             io.Writer
	output         map[key][]string
	passed, failed int
	absent         []string // what was not run
	broken         bool
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

// test runs packages. Vet is another step, and without DWARF binaries link in half the time.
func (r *report) test(ctx context.Context, env string, flags, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	args := slices.Concat([]string{"test", "-json", "-timeout=30m", "-vet=off", "-ldflags=-s -w"}, flags, packages)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), env), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r.read(out)
	if err := cmd.Wait(); err != nil {
		r.broken = true
	}
	return nil
}

// read takes in what go test prints.
func (r *report) read(from io.Reader) {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 {
			if json.Unmarshal(trimmed, &e) != nil {
				fmt.Fprintf(r.to, "%s\n", trimmed) // go itself speaks
			} else {
				r.take(e)
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *report) take(e event) {
	k := key{e.Package, e.Test}
	switch e.Action {
	case "output":
		r.output[k] = append(r.output[k], e.Output)
	case "build-output":
		fmt.Fprint(r.to, e.Output)
	case "build-fail":
		r.broken = true
	case "pass", "skip", "fail":
		r.end(e, k)
	}
}

// loud reports whether a test or a script says that something was not tried.
func loud(line string) bool {
	return strings.Contains(line, "NOT RUN") || strings.Contains(line, "NOT CHECKED") || strings.Contains(line, "NOT TESTED")
}

func (r *report) end(e event, k key) {
	text := r.output[k]
	delete(r.output, k)
	name := strings.TrimSpace(strings.TrimPrefix(e.Package, "github.com/hebb-memory/hebb/") + " " + e.Test)
	switch {
	case e.Action == "fail":
		r.broken = true
		if e.Test != "" {
			r.failed++
		}
		fmt.Fprintf(r.to, "FAIL %s\n%s", name, strings.Join(text, ""))
	case e.Test == "":
		if e.Action == "pass" {
			fmt.Fprintf(r.to, "ok   %s %.1fs\n", name, e.Elapsed)
		}
	case e.Action == "skip":
		r.absent = append(r.absent, "SKIP "+name+": "+reason(text))
	default:
		r.passed++
	}
	for _, line := range text {
		if e.Action == "pass" && loud(line) {
			r.absent = append(r.absent, name+": "+strings.TrimSpace(line))
		}
	}
}

// reason is what a skipped test gave as its reason.
func reason(text []string) string {
	for _, line := range slices.Backward(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "=== ") {
			return line
		}
	}
	return "no reason given"
}

// close lists what was not run, counts, and reports whether the run has failed.
func (r *report) close(ci bool) (failed bool) {
	for _, line := range r.absent {
		fmt.Fprintln(r.to, line)
	}
	failed = r.broken || ci && len(r.absent) > 0
	if ci && len(r.absent) > 0 {
		fmt.Fprintln(r.to, "FAIL: with CI=true everything must run")
	}
	if r.broken && r.failed == 0 {
		fmt.Fprintln(r.to, "FAIL: go test failed outside of any test, see above")
	}
	if os.Getenv("HEBB_TESTS") != "full" {
		fmt.Fprintln(r.to, "tests of many cases tried a part of them; HEBB_TESTS=full tries all")
	}
	fmt.Fprintf(r.to, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, len(r.absent))
	return failed
}
