package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const pageSize = 4096

// A run takes one page in sixteen.
func TestEveryZeroedPageIsNoticed(t *testing.T) {
	t.Parallel()
	path, _ := closedStore(t, 60)
	raw := openURI(path, url.Values{})
	_, err := raw.ExecContext(t.Context(), `VACUUM`) // migrations left free pages: what stands there is no damage
	if err = errors.Join(err, raw.Close()); err != nil {
		t.Fatal(err)
	}
	image := must.Get(os.ReadFile(path))(t)
	for _, page := range must.Part(t, len(image)/pageSize, 16) {
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
	want := must.Get(said(t, s))(t)
	closeStore(t, s)
	noticed, harmless := 0, 0
	path = filepath.Join(t.TempDir(), "hebb.db")
	for range must.Size(10, 40) {
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
