package watch

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A file is taken once it was quiet, each by itself; of a flood nothing is taken before all of it is quiet.
func TestFilesAreTakenOnceTheyWereQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const quiet = 2 * time.Second
		var p pending
		taken := func(want ...string) {
			t.Helper()
			if got, flood := p.take(quiet, time.Now()); !slices.Equal(got, want) || flood {
				t.Errorf("taken %q (flood: %v), want %q", got, flood, want)
			}
		}
		note := func(name string) { p.note(name, time.Now()) }
		note("b")
		note("a")
		time.Sleep(quiet - 1)
		taken()
		note("b") // saved again
		time.Sleep(1)
		taken("a")
		time.Sleep(quiet - 2)
		taken()
		time.Sleep(1)
		taken("b")
		if !p.empty() {
			t.Error("something is left")
		}
		for i := range mostPending + 1 {
			note(fmt.Sprint(i))
			time.Sleep(time.Millisecond)
		}
		taken()
		note("the last of them")
		time.Sleep(quiet - 1)
		taken()
		time.Sleep(1)
		if names, flood := p.take(quiet, time.Now()); names != nil || !flood || !p.empty() {
			t.Errorf("taken %q, flood %v", names, flood)
		}
	})
}
