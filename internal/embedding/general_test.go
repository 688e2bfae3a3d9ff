package embedding

import (
	"slices"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func needGeneral(t testing.TB) {
	t.Helper()
	if len(general) == 0 {
		t.Fatal("this build has no table")
	}
}

func meaning(text string) memory.Vector { return General(vocab.Words(text)) }

func TestTheGeneralTableIsWhole(t *testing.T) {
	needGeneral(t)
	n := general.count()
	if want := general.begin(n) + n*figure + n*generalDims/2; int(general.figure(figure)) != generalDims || len(general) != want {
		t.Fatalf("%d words of %d dimensions in %d bytes, want %d", n, int(general.figure(figure)), len(general), want)
	}
	for i := range n {
		word := general.word(i)
		if i > 0 && general.word(i-1) >= word {
			t.Errorf("%q stands before %q", general.word(i-1), word)
		}
		if at, ok := general.find(word); !ok || at != i {
			t.Errorf("%q is found at %d, not at %d", word, at, i)
		}
		if v := General([]string{word}); len(v) != generalDims {
			t.Errorf("%q has no direction", word)
		}
	}
}

func TestWordsTheGeneralTableDoesNotKnowSayNothing(t *testing.T) {
	needGeneral(t)
	for _, words := range [][]string{nil, {""}, {"zzzzqx"}, {"a"}, {"\xff\xff"}} {
		if v := General(words); v != nil {
			t.Errorf("%q gives %v", words, v)
		}
	}
	if known, more := meaning("the database is slow"), meaning("the zzzzqx database is slow"); known == nil || !slices.Equal(known, more) {
		t.Errorf("an unknown word changes %v to %v", known, more)
	}
}

func TestTextsThatShareNoWordAreNearIfTheyMeanTheSame(t *testing.T) {
	needGeneral(t)
	for _, c := range []struct{ text, near, far string }{
		{"the car needs fuel", "vehicle without gasoline", "the recipe wants butter"},
		{"our doctor visited the clinic", "a physician at the hospital", "the goalkeeper saved a penalty"},
		{"encrypt the password", "authentication with a secret key", "paint the kitchen wall"},
		{"her daughter goes to school", "children and their teachers", "inflation and interest rates"},
	} {
		text := meaning(c.text)
		if near, far := text.Cos(meaning(c.near)), text.Cos(meaning(c.far)); near < far+0.2 {
			t.Errorf("%q: %q %.2f, %q %.2f", c.text, c.near, near, c.far, far)
		}
	}
}
