package said

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
)

func folder(prompts, labels string) fstest.MapFS {
	return fstest.MapFS{"prompts.jsonl": {Data: []byte(prompts)}, "labels.jsonl": {Data: []byte(labels)}}
}

func TestRead(t *testing.T) {
	t.Parallel()
	const prompt = `{"id":"r:s:0","text":"we use tabs. fix it"}` + "\n"
	for labels, want := range map[string]string{
		`{"id":"r:s:0","keep":[{"quote":"we use tabs","kind":"rule","worth":3}]}` + "\n": "",
		`{"id":"r:s:0","keep":[{"quote":"we use spaces"}]}` + "\n":                       "does not contain its quote",
		`{"id":"r:s:1","keep":[]}` + "\n":                                                "prompts.jsonl does not",
		"{\n":                                                                            "labels.jsonl:1",
	} {
		_, err := Read(folder(prompt, labels), wide)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", labels, err, want)
		}
	}
	if _, err := Read(folder(`{"id":"none","text":"x"}`, ""), wide); err == nil {
		t.Error("an id without a session is read")
	}
}

// The counting rule: worth 2 and 3 are right, none is wrong, worth 1 is neither; a quote is found
// by a statement that shares half of the shorter of the two.
func TestCounting(t *testing.T) {
	t.Parallel()
	prompts := must.Get(Read(folder(
		`{"id":"r:s:0","text":"aaaa bbbb cccc dddd eeee"}`+"\n"+`{"id":"r:s:1","text":"ffff gggg"}`+"\n",
		`{"id":"r:s:0","keep":[{"quote":"aaaa bbbb","kind":"rule","worth":3},{"quote":"dddd","kind":"fact","worth":1}]}`+"\n"+
			`{"id":"r:s:1","keep":[{"quote":"gggg","kind":"fact","worth":2}]}`+"\n",
	), wide))(t)
	c := counted{found: map[*quote]bool{}}
	for _, s := range []statements.Statement{
		{Start: 0, End: 4, Kind: statements.Rule}, // right: all of the shorter one
		{Start: 8, End: 19},                       // of worth 1; it shares too little with the first quote
		{Start: 20, End: 24},                      // wrong
	} {
		c.add(prompts[0], s)
	}
	row := c.row("x", prompts)
	if row.Precision != 0.5 || row.Recall3 != 1 || row.Recall2 != 0.5 || row.Kind != 1 || row.N != 2 {
		t.Errorf("%+v", row)
	}
}
