//go:build failpoint

// A hebb that lists its steps, or dies at one of them. Only the program itself is built anew for it.

package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/hebb-memory/hebb/internal/failpoint"
)

var passed atomic.Int64

func init() { failpoint.Passed = pass }

// pass counts a step. HEBB_STEPS names a file that gets a line for each: the step and the use case it belongs to. HEBB_DIE_AT is
// the number of the step at which the process kills itself.
func pass(step string) {
	n := passed.Add(1)
	if file := os.Getenv("HEBB_STEPS"); file != "" {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err == nil {
			fmt.Fprintln(f, step, "in", useCase())
			err = f.Close()
		}
		if err != nil {
			panic(err)
		}
	}
	if os.Getenv("HEBB_DIE_AT") != strconv.FormatInt(n, 10) {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(err)
	}
	select {} // nothing more is done until the signal arrives
}

// beneath are the packages whose functions a step does not name: every step goes through them.
var beneath = []string{
	"failpoint.", "store.", "store/db.", "store/text.", "store/sqlite.", "views.vault.", "spool.", "cli.", "mcpserver.", "hook.",
}

// useCase names the functions of the rooms that led here, the innermost first.
func useCase() string {
	callers := make([]uintptr, 40)
	frames := runtime.CallersFrames(callers[:runtime.Callers(4, callers)])
	var names []string
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		_, function, ok := strings.Cut(frame.Function, "hebb/internal/")
		room, name, _ := strings.Cut(function, ".")
		below := slices.ContainsFunc(beneath, func(start string) bool { return strings.HasPrefix(function, start) })
		if ok && !below && !strings.Contains(name, "func") {
			names = append(names, room+"."+strings.NewReplacer("(*Brain).", "", "[...]", "").Replace(name))
		}
	}
	return strings.Join(names, " < ")
}
