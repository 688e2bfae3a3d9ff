package daemon

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// A file is taken once it was quiet, each by itself; a burst is taken whole, whatever goes on beside it.
func TestFilesAreTakenOnceTheyWereQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const quiet = 2 * time.Second
		p := pending{}
		taken := func(want ...string) {
			t.Helper()
			if got := p.take(quiet, time.Now()); !slices.Equal(got, want) {
				t.Errorf("taken %q, want %q", got, want)
			}
		}
		note := func(name string) { p[name] = time.Now() }
		note("b")
		note("a")
		time.Sleep(quiet - 1)
		taken()
		note("b") // saved again
		time.Sleep(time.Nanosecond)
		taken("a")
		time.Sleep(quiet - 2)
		taken()
		time.Sleep(time.Nanosecond)
		taken("b")

		var all []string
		for i := range 10 * mostByHand { // takes longer than a file must be quiet
			all = append(all, fmt.Sprintf("%03d", i))
			note(all[i])
			note("a log")
			time.Sleep(20 * time.Millisecond)
			taken()
		}
		time.Sleep(quiet - 21*time.Millisecond)
		note("a log")
		taken(all[:len(all)-1]...)
		time.Sleep(time.Millisecond)
		taken(all[len(all)-1])
		time.Sleep(quiet)
		taken("a log")
		if len(p) != 0 {
			t.Errorf("left %v", p)
		}
	})
}
