package scrub

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPrivateRegionsAreDropped(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"text without tags stays", "a < b && b > c, privately", "a < b && b > c, privately"},
		{"a region is replaced by a marker", "a <private>x</private> b", "a [private] b"},
		{"two regions give two markers", "<private>x</private> and <private>y</private>", "[private] and [private]"},
		{"a region may span lines", "a\n<private>\nx\ny\n</private>\nb", "a\n[private]\nb"},
		{"nested regions end with the outer tag", "a <private>x <private>y</private> z</private> b", "a [private] b"},
		{"case does not matter", "a <PRIVATE>x</Private> b", "a [private] b"},
		{"blanks in tags do not matter", "a < private >x< / PRIVATE > b", "a [private] b"},
		{"newlines in tags do not matter", "a <\nprivate\n>x</\nprivate\n> b", "a [private] b"},
		{"invisible characters in tags do not matter", "a <\u200bprivate>x</private\u200b> b", "a [private] b"},
		{"attributes do not matter", `a <private reason="x > y" id=1>x</private now> b`, "a [private] b"},
		{"an unclosed region hides the rest", "a <private>x\ny", "a [private]"},
		{"an unclosed inner region hides the rest", "a <private>x<private>y</private> b", "a [private]"},
		{"a tag cut off hides the rest", "a <private reason=", "a [private]"},
		{"a tag cut off at the name hides the rest", "a <private", "a [private]"},
		{"a self-closing tag opens, to be on the safe side", "a <private/> b", "a [private]"},
		{"a closing tag never opened hides what came before", "x </private> b", "[private] b"},
		{"one closing tag too many hides all before it", "a <private>x</private> y </private> b", "[private] b"},
		{"a closing tag cut off does not end a region", "a <private>x</private y", "a [private]"},
		{"a closing tag cut off hides what came before", "x </private", "[private]"},
		{"a tag inside an opening tag counts", "a <private <private>x</private> y</private> b", "a [private] b"},
		{"a broken character does not end a name", "a <private\xe2<b", "a <private\xe2<b"},
		{"a broken character is no blank", "a <\xe2private> <\xe2\x80private>", "a <\xe2private> <\xe2\x80private>"},
		{"an invisible character ends a name", "x </private\u200b y", "[private] y"},
		{"a slash may stand once", "a <//private> b", "a <//private> b"},
		{"the entity form is text", "write &lt;private&gt;x&lt;/private&gt; b", "write &lt;private&gt;x&lt;/private&gt; b"},
		{"other elements are text", "<privateKey>x</privateKey> <private-x> <unprivate>", "<privateKey>x</privateKey> <private-x> <unprivate>"},
		{"the marker is text", "[private]", "[private]"},
		{"an angle bracket at the end is text", "a <", "a <"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Private(c.text); got != c.want {
				t.Errorf("Private(%q)\n got %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}

// canary never occurs in tags or filler.
const canary = "CANARY"

var (
	openers = []string{"<private>", "<PRIVATE>", "< private >", "<private\n>", `<Private why="x">`, "<private/>", "<private"}
	closers = []string{"</private>", "</PRIVATE >", "< / private>", "</private x=1>", "<\t/Private>"}
	fillers = []string{"word ", "a < b ", "x > y ", "&lt;private&gt; ", "\n", "<b>", "</b>", "<privateer>", "é", "<", "/", "private "}
)

func TestNoCanarySurvivesRandomNesting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		depth, opened := 0, 0
		for range rng.IntN(16) {
			switch n := rng.IntN(6); {
			case n == 0:
				o := openers[rng.IntN(len(openers))]
				b.WriteString(o + " ")
				depth++
				opened++
			case n == 1 && depth > 0:
				b.WriteString(closers[rng.IntN(len(closers))])
				depth--
			case depth > 0:
				b.WriteString(" " + canary + " " + strings.TrimSuffix(fillers[rng.IntN(len(fillers))], "<"))
			default:
				b.WriteString(strings.TrimSuffix(fillers[rng.IntN(len(fillers))], "<") + "-public-")
			}
		}
		text := b.String()
		got := Private(text)
		if strings.Contains(got, canary) {
			t.Fatalf("the canary survives\n%q\n%q", text, got)
		}
		if opened == 0 && got != text {
			t.Fatalf("text without regions was changed\n%q\n%q", text, got)
		}
		if again := Private(got); again != got {
			t.Fatalf("not idempotent\n%q\n%q\n%q", text, got, again)
		}
	}
}

func FuzzPrivate(f *testing.F) {
	for _, o := range openers {
		f.Add("a ", o, "x", closers[0], " b")
	}
	for _, c := range closers {
		f.Add("a ", openers[0], "x <private> y </private> z", c, " b")
	}
	f.Add("", "<", "private>", "", "")
	f.Add("</private", "<private>", "x", "</private>", ">")
	f.Fuzz(func(t *testing.T, before, open, inside, closing, after string) {
		// Whatever stands around, a canary between a sound opening tag and its closing tag does not
		// survive, unless the text in between closes the region itself.
		if !strings.Contains(strings.ToLower(inside), "private") && !strings.Contains(before, canary) && !strings.Contains(after, canary) {
			got := Private(before + "<private>" + inside + canary + inside + "</private>" + after)
			if strings.Contains(got, canary) && !strings.Contains(inside, canary) {
				t.Fatalf("the canary survives: %q", got)
			}
		}
		text := before + open + inside + closing + after
		got := Private(text)
		if again := Private(got); again != got {
			t.Fatalf("not idempotent\n%q\n%q\n%q", text, got, again)
		}
		for i := range len(got) {
			if end, _ := privateTag(got, i); got[i] == '<' && end >= 0 {
				t.Fatalf("a tag survives at %d in %q", i, got)
			}
		}
	})
}
