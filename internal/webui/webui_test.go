package webui_test

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/webui"
)

func TestTheFilesAreMadeOfTheseSources(t *testing.T) {
	want, err := webui.SourceSum(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	made, err := fs.ReadFile(webui.Assets(), "sources.sha256")
	if err != nil || strings.TrimSpace(string(made)) != want {
		t.Errorf("dist was made of other sources: run make page-files (%v)", err)
	}
}

func TestThePageIsSmall(t *testing.T) {
	const most = 150_000 // bytes, compressed, in all
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	must.Do(t, fs.WalkDir(webui.Assets(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(webui.Assets(), name)
		if err != nil {
			return err
		}
		_, err = w.Write(text)
		return err
	}))
	if err := w.Close(); err != nil || packed.Len() > most {
		t.Errorf("the page has %d bytes compressed, want at most %d (%v)", packed.Len(), most, err)
	}
}

func TestEveryPackageHasItsLicence(t *testing.T) {
	entries, err := os.ReadDir("packages")
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d packages, %v", len(entries), err)
	}
	notice := must.Get(os.ReadFile("../../NOTICE"))(t)
	for _, e := range entries {
		if text, err := os.ReadFile("packages/" + e.Name() + "/LICENSE"); err != nil || len(text) < 500 {
			t.Errorf("%s has no licence: %v", e.Name(), err)
		}
		if !strings.Contains(string(notice), "packages/"+e.Name()) {
			t.Errorf("NOTICE does not name packages/%s", e.Name())
		}
	}
}

func TestACopyHoldsItsDataAndAllowsNothingElse(t *testing.T) {
	page := must.Get(webui.Copy([]byte(`{"at":"2026-11-18","text":"\u003c/script\u003e"}`)))(t)
	text := string(page)
	for _, part := range []string{`id="export">{"at":"2026-11-18","text":"\u003c/script\u003e"}</script>`, `content="default-src 'none'; img-src data:; script-src 'sha256-`} {
		if !strings.Contains(text, part) {
			t.Errorf("the copy lacks %s", part)
		}
	}
	if strings.Contains(text, ` src="`+"app") || strings.Contains(text, `href="app`) {
		t.Error("the copy asks for other files")
	}
	if n := strings.Count(text, "</script>"); n != 2 {
		t.Errorf("the copy ends %d scripts, want 2", n)
	}
	if _, err := webui.Copy([]byte(`{"text":"</script>"}`)); err == nil {
		t.Error("data that ends its script is taken")
	}
}
