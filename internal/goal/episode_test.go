package goal

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/recall"
)

// lived numbers what happened and puts a minute between; a happening without a kind and text is a pause.
func lived(happenings ...Happening) []Happening {
	var session []Happening
	at := noon
	for i, h := range happenings {
		if h.Kind == Asked && h.Text == "" {
			at = at.Add(time.Hour)
			continue
		}
		at = at.Add(time.Minute)
		h.ID, h.At = fmt.Sprint("e", i), at
		session = append(session, h)
	}
	return session
}

func asked(text string) Happening    { return Happening{Kind: Asked, Text: text} }
func answered(text string) Happening { return Happening{Kind: Answered, Text: text} }
func changed(file string) Happening  { return Happening{Kind: Changed, Files: []string{file}} }
func ran(name string) Happening      { return Happening{Kind: Ran, Name: name} }
func read(bytes int64, files ...string) Happening {
	return Happening{Kind: Read, Files: files, Bytes: bytes}
}
func failed(name, text string) Happening {
	return Happening{Kind: Ran, Name: name, Text: text, Failed: true}
}

func cut(session []Happening) string {
	var lines []string
	for _, e := range Cut(session, recall.Words) {
		lines = append(lines, fmt.Sprintf("%s: %s %v", e.ID, e.Text, e.Files))
	}
	return strings.Join(lines, "\n")
}

func TestEpisodesAreCutByTheirRules(t *testing.T) {
	t.Parallel()
	pause := Happening{}
	for name, c := range map[string]struct {
		session []Happening
		want    string
	}{
		"nothing is no episode":                      {nil, ""},
		"a long read is one":                         {lived(read(4001, "store.go")), "deep read e0 store.go: read store.go [store.go]"},
		"a hundred lines are not more than that":     {lived(read(4000, "store.go")), ""},
		"parts of a file are added up":               {lived(read(2500, "store.go"), read(9, "a.go"), read(2500, "store.go")), "deep read e0 store.go: read store.go [store.go]"},
		"a pause parts them":                         {lived(read(2500, "store.go"), pause, read(2500, "store.go")), ""},
		"a read of several files is shared by them":  {lived(read(7000, "a.go", "b.go")), ""},
		"each of them can be deep":                   {lived(read(9000, "a.go", "b.go")), "deep read e0 a.go: read a.go [a.go]\ndeep read e0 b.go: read b.go [b.go]"},
		"a read that failed is none":                 {lived(Happening{Kind: Read, Files: []string{"a.go"}, Bytes: 9000, Failed: true}), ""},
		"a note is one":                              {lived(Happening{Kind: Noted, Text: "the lease and the lock\nare one thing"}), "connection e0: the lease and the lock are one thing []"},
		"an empty note is none":                      {lived(Happening{Kind: Noted, Text: " "}), ""},
		"five turns are no exchange":                 {lived(asked("why is the drain slow"), answered("it waits"), changed("drain.go"), changed("spool.go"), answered("done")), ""},
		"six are":                                    {lived(asked("why is the drain slow"), answered("it waits"), changed("drain.go"), changed("spool.go"), asked("yes, go on"), answered("done")), "exchange e0: why is the drain slow [drain.go spool.go]"},
		"a new topic parts them":                     {lived(asked("why is the drain slow"), answered("it waits"), changed("drain.go"), changed("spool.go"), asked("write a page about pins for beginners"), answered("done")), ""},
		"the same topic in other words does not":     {lived(asked("why is the drain slow"), answered("it waits"), changed("drain.go"), changed("spool.go"), asked("does spool.go wait for the lock?"), answered("yes")), "exchange e0: does spool.go wait for the lock? [drain.go spool.go]"},
		"work that nobody asked for has no topic":    {lived(changed("a.go"), changed("b.go"), changed("c.go"), changed("d.go"), changed("e.go"), changed("f.go")), ""},
		"a failure, a change and success are one":    {lived(failed("go test", "undefined: Open"), read(9, "a.go"), changed("a.go"), ran("go test")), "debugging e0: go test failed, fixed in a.go: undefined: Open [a.go]"},
		"failures in between belong to it":           {lived(failed("go test", "undefined: Open"), changed("a.go"), failed("go test", "undefined: Close"), changed("b.go"), ran("go test")), "debugging e0: go test failed, fixed in a.go, b.go: undefined: Open [a.go b.go]"},
		"what never worked again is none":            {lived(failed("go test", "undefined: Open"), changed("a.go"), ran("ls")), ""},
		"what works again by itself is none":         {lived(failed("go test", "timeout"), ran("go test"), changed("a.go"), ran("go test")), ""},
		"a change that failed fixes nothing":         {lived(failed("go test", "timeout"), Happening{Kind: Changed, Files: []string{"a.go"}, Failed: true}, ran("go test")), ""},
		"what comes after a pause fixes nothing":     {lived(failed("go test", "timeout"), changed("a.go"), pause, ran("go test")), ""},
		"two segments are two":                       {lived(failed("go vet", "x"), changed("a.go"), ran("go vet"), failed("go vet", "y"), changed("b.go"), ran("go vet")), "debugging e0: go vet failed, fixed in a.go: x [a.go]\ndebugging e3: go vet failed, fixed in b.go: y [b.go]"},
		"what is about nothing that can be compared": {lived(Happening{Kind: Noted, Text: "so it is"}), ""},
	} {
		if got := cut(c.session); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestASessionThatGoesOnKeepsTheNamesOfItsEpisodes(t *testing.T) {
	t.Parallel()
	session := lived(
		asked("why is the drain slow"), read(9000, "drain.go"), failed("go test", "timeout"), changed("drain.go"), changed("spool.go"),
		ran("go test"), answered("it waited"), asked("does the spool lock as well?"), answered("no"), Happening{Kind: Noted, Text: "the drain waits for the spool"},
	)
	var before []string
	for n := range session {
		var now []string
		for _, e := range Cut(session[:n+1], recall.Words) {
			now = append(now, e.ID)
		}
		for _, id := range before {
			if !slices.Contains(now, id) {
				t.Fatalf("%s is gone after %d happenings: %v", id, n+1, now)
			}
		}
		before = now
	}
	if len(before) != 4 {
		t.Error(before)
	}
}

func TestAnEpisodeIsAboutWhatWasAskedAndTouched(t *testing.T) {
	t.Parallel()
	episodes := Cut(lived(asked("make recall prefer fresh commits"), read(9000, "internal/rank.go"), answered("kubernetes kubernetes")), recall.Words)
	var words []string
	for _, c := range episodes[0].Concepts {
		words = append(words, c.Word)
	}
	want := []string{"recal", "prefer", "fresh", "commit", "intern", "rank", "go"}
	if slices.Sort(words); len(episodes) != 1 || !slices.Equal(words, slices.Sorted(slices.Values(want))) {
		t.Errorf("%q", words)
	}
}
