package encoder

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"slices"
	"strings"
	"testing"
)

// reference is a text with the ids and the vector that the package of the weights gives it, in steps of 1e-5.
type reference struct {
	Text   string
	Tokens []int
	Vector []byte
}

func (r reference) vector() (v Vector) {
	for i := range v {
		v[i] = float32(int16(binary.LittleEndian.Uint16(r.Vector[2*i:]))) / 1e5
	}
	return v
}

func references(t *testing.T) []reference {
	t.Helper()
	file := must.Get(os.Open("testdata/reference.jsonl"))(t)
	defer file.Close()
	var all []reference
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var r reference
		must.Do(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	if len(all) != 60 {
		t.Fatalf("%d texts, want 60", len(all))
	}
	return all
}

func TestIdsAreThoseOfThePackage(t *testing.T) {
	for _, r := range references(t) {
		if ids := loaded().pieces.ids(r.Text); !slices.Equal(ids, r.Tokens) {
			t.Errorf("%q: %v, want %v", r.Text, ids, r.Tokens)
		}
	}
}

func TestVectorsAreNearlyThoseOfThePackage(t *testing.T) {
	worst, sum, n := 1.0, 0.0, 0
	for _, r := range references(t) {
		if len(r.Tokens) == 0 {
			continue
		}
		v, want := loaded().encode(r.Tokens[:min(len(r.Tokens), mostTokens)]), r.vector()
		cos := v.Cos(&want)
		worst, sum, n = min(worst, cos), sum+cos, n+1
		if cos < 0.998 {
			t.Errorf("%q: cosine %.5f", r.Text, cos)
		}
	}
	t.Logf("cosine to the package: least %.5f, mean %.5f", worst, sum/float64(n))
}

func TestSentencesThatMeanTheSameAreNear(t *testing.T) {
	for _, c := range []struct{ text, near, far string }{
		{"Always run the tests before you commit.", "Execute the test suite prior to committing", "The logo should be blue"},
		{"use uv as the package manager", "install dependencies with uv, not pip", "the meeting moved to Thursday"},
	} {
		text, near, far := encoded(t, c.text), encoded(t, c.near), encoded(t, c.far)
		if near, far := text.Cos(&near), text.Cos(&far); near < far+0.1 {
			t.Errorf("%q: %q %.2f, %q %.2f", c.text, c.near, near, c.far, far)
		}
	}
}

func encoded(t testing.TB, text string) Vector {
	t.Helper()
	v, ok := Encode(text)
	if !ok {
		t.Fatalf("%q has no vector", text)
	}
	return v
}

func TestOnlyEnglishHasAVector(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                    false,
		"  \n":                                false,
		"42":                                  false,
		"if (a[i] != b[j]) { return i - j; }": true,
		"Не забудь запустить тесты":                        false,
		"日本語のテキストです":                                       false,
		"把 button 的颜色改成 red":                               false,
		"Bitte immer die Tests laufen lassen":              false,
		"no quiero usar OCR, no vamos a procesar imagenes": false,
		"Il faut toujours lancer les tests avant":          false,
		"run golangci-lint before committing":              true,
		"use pnpm, never npm":                              true,
		"the café is closed on Monday":                     true,
		"emoji 🚀 in the middle":                            true,
		"\xff\xfe these are broken bytes":                  true,
		strings.Repeat("a long text ", 10000):              true,
	} {
		if _, ok := Encode(text); ok != want {
			t.Errorf("%.40q: %t", text, ok)
		}
	}
}

func TestMeaningsThatAreKeptAreThoseThatAreComputed(t *testing.T) {
	var m memo
	first := loaded().meaning("use pnpm, never npm")
	if m.put("use pnpm, never npm", first); m.get("use pnpm, never npm") != first {
		t.Error("it is not kept")
	}
	for i := range 3 * keptMeanings {
		if m.put(fmt.Sprint(i), &meaning{}); len(m.kept) > keptMeanings {
			t.Fatalf("%d meanings are kept", len(m.kept))
		}
	}
	for range 2 {
		if again := encoded(t, "use pnpm, never npm"); again != first.vector {
			t.Error("another vector for the same sentence")
		}
	}
}

func FuzzIds(f *testing.F) {
	for _, text := range []string{":) a smile", "zero\u200bwidth 中文", "\xff\xfe", "e\u0301\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		before := -1
		for _, id := range loaded().pieces.ids(text) {
			if id < 0 || id >= pieceCount || id > unknown && id < reserved || id == unknown && before == unknown {
				t.Errorf("%q: id %d after %d", text, id, before)
			}
			before = id
		}
	})
}
