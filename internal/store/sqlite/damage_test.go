package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store"
)

const pageSize = 4096

func TestEveryZeroedPageIsNoticed(t *testing.T) {
	t.Parallel()
	path, _ := closedStore(t, 60)
	raw := openURI(path, url.Values{})
	_, err := raw.ExecContext(t.Context(), `VACUUM`) // migrations left free pages: what stands there is no damage
	if err = errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := range len(image) / pageSize {
		harmed := bytes.Clone(image)
		clear(harmed[page*pageSize : (page+1)*pageSize])
		writeFile(t, path, harmed)
		if found := damage(t, path); len(found) == 0 {
			t.Errorf("page %d of %d was zeroed and nobody noticed", page+1, len(image)/pageSize)
		}
	}
}

func TestEveryTruncationIsNoticed(t *testing.T) {
	t.Parallel()
	_, image := closedStore(t, 60)
	path := filepath.Join(t.TempDir(), "hebb.db")
	for length := pageSize / 2; length < len(image); length += 7 * pageSize / 2 { // at the ends and in the middle of pages
		writeFile(t, path, image[:length])
		if found := damage(t, path); len(found) == 0 {
			t.Errorf("a file cut to %d of %d bytes was not noticed", length, len(image))
		}
	}
}

func TestAFlippedBitInsideATextIsNoticed(t *testing.T) {
	t.Parallel()
	_, image := closedStore(t, 60)
	path := filepath.Join(t.TempDir(), "hebb.db")
	for _, c := range []struct{ text, where string }{
		{"canary000042", "event "},
		{"input000033", "event "},
		{"src/file0042.go", "neuron "},
		{"/home/ada/compiler/.git", "project "},
		{string(someEvent(9).ID), "event "},
	} {
		for at, seen := 0, 0; ; seen++ { // in the table and in the index
			n := bytes.Index(image[at:], []byte(c.text))
			if n < 0 {
				if seen == 0 {
					t.Errorf("%s is not where the test looks for it", c.text)
				}
				break
			}
			at += n + 1
			harmed := bytes.Clone(image)
			harmed[at] ^= 1
			writeFile(t, path, harmed)
			found := damage(t, path)
			if !slices.ContainsFunc(found, func(f string) bool {
				return strings.HasPrefix(f, c.where) || strings.HasPrefix(f, "database")
			}) {
				t.Errorf("%s, occurrence %d: found %q, want something at %q", c.text, seen+1, found, c.where)
			}
		}
	}
}

func TestAColumnWithAnotherNameIsNoticed(t *testing.T) {
	t.Parallel()
	path, image := closedStore(t, 3)
	harmed := bytes.Replace(image, []byte("peak"), []byte("qeak"), 1)
	if bytes.Equal(harmed, image) {
		t.Fatal("the schema names no such column")
	}
	writeFile(t, path, harmed)
	if found := fmt.Sprint(damage(t, path)); !strings.Contains(found, "neuron.peak is missing") {
		t.Errorf("found %s", found)
	}
}

func TestNoFlippedByteChangesAMemoryUnnoticed(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	if text := os.Getenv("HEBB_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("reproduce with HEBB_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path, image := closedStore(t, 40)
	s := openStore(t, testOptions(path))
	want, err := said(t, s)
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	noticed, harmless := 0, 0
	path = filepath.Join(t.TempDir(), "hebb.db")
	for range 40 {
		at, bit := r.IntN(len(image)), byte(1)<<r.IntN(8)
		harmed := bytes.Clone(image)
		harmed[at] ^= bit
		writeFile(t, path, harmed)
		if len(damage(t, path)) > 0 {
			noticed++
			continue
		}
		s := openStore(t, testOptions(path))
		got, err := said(t, s)
		closeStore(t, s)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("byte %d ^ %#x: a memory changed and nobody noticed (%v)", at, bit, err)
		}
		harmless++
	}
	t.Logf("%d flips noticed, %d in bytes that say nothing", noticed, harmless)
}

// Every letter of what was said is flipped in the file, wherever it stands: in a table, an index or the full-text index.
func TestAFlippedBitInWhatWasSaidIsNoticed(t *testing.T) {
	t.Parallel()
	path, _ := closedStore(t, 3)
	s := openStore(t, testOptions(path))
	err := s.UpdateDurable(t.Context(), func(tx *store.Tx) error {
		ctx := t.Context()
		_, one := tx.AddState(ctx, store.StateText{At: start, By: "rules", Text: "statecanary"}, 3)
		_, two := tx.SaveEntity(ctx, memory.Entity{Name: "entitycanary", CreatedAt: start})
		_, three := tx.Observe(ctx, 0, "entitycanary", memory.Observation{Text: "observedcanary", Origin: memory.OriginUser, SaidAt: start})
		_, four := tx.AddDocuments(ctx, []store.Document{{Ref: "doc", At: start, Text: "textcanary", Words: []string{"wordcanary"}, Around: []string{"aroundcanary"}}})
		return errors.Join(one, two, three, four,
			tx.SaveGoal(ctx, memory.Goal{ID: "goalcanary", Status: memory.GoalActive}),
			tx.SavePage(ctx, store.Page{Name: "me", Text: "pagecanary", By: memory.OriginUser, At: start}),
			tx.SetWritten(ctx, "vault", "live.md", "viewcanary"))
	})
	if err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "hebb.db")
	flips := 0
	for _, text := range []string{
		"statecanary", "entitycanary", "observedcanary", "goalcanary", "pagecanary", "viewcanary", "textcanary", "wordcanary", "aroundcanary",
	} {
		for at := bytes.Index(image, []byte(text)); at >= 0; {
			harmed := bytes.Clone(image)
			harmed[at+flips%len(text)] ^= 1
			flips++
			writeFile(t, path, harmed)
			if found := damage(t, path); len(found) == 0 {
				t.Errorf("%s at byte %d: nobody noticed", text, at)
			}
			next := bytes.Index(image[at+1:], []byte(text))
			if next < 0 {
				break
			}
			at += next + 1
		}
	}
	t.Logf("%d flips noticed", flips)
}
