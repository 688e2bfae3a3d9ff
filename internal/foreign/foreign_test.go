package foreign

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

var update = flag.Bool("update", false, "write the golden files")

// touched is when every fixture was last written, as far as its file says.
var touched = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// fixture copies a folder of testdata, so that its files have a known time and nothing can be written into the original.
func fixture(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	must.Do(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	must.Do(t, filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(name, touched, touched))
	}))
	return dir
}

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	must.Do(t, os.Chtimes(file, touched, touched))
	return file
}

func read(t testing.TB, format Format, path string, opts Options) Memory {
	t.Helper()
	m := must.Get(Read(context.Background(), format, path, opts))(t)
	for _, c := range m.Crystals {
		if c.Origin != memory.OriginImport || c.Source == "" || c.Text == "" || c.ID != "" || !slices.Contains(memory.CrystalKinds, c.Kind) {
			t.Errorf("a crystal that is not a proper import: %+v", c)
		}
	}
	for _, e := range m.Entities {
		for _, o := range e.Observations {
			if o.Origin != memory.OriginImport || o.Confidence <= 0 || o.Confidence > 1 {
				t.Errorf("%s: an observation that is not a proper import: %+v", e.Name, o)
			}
		}
	}
	return m
}

// show writes a memory as text that people can review.
func show(m Memory) string {
	var out strings.Builder
	day := func(t time.Time) string {
		if t.IsZero() {
			return "-"
		}
		return t.UTC().Format("2006-01-02T15:04:05Z")
	}
	mark := func(format string, set bool, args ...any) string {
		if !set {
			return ""
		}
		return fmt.Sprintf(format, args...)
	}
	for _, c := range m.Crystals {
		fmt.Fprintf(&out, "%s %s %s%s%s%s%s%s%s%s\n", c.Kind, day(c.SaidAt), c.Source, mark(" project=%d", c.Project != 0, int64(c.Project)),
			mark(" subject=%s", c.Subject != "", c.Subject), mark(" importance=%.1f", c.Importance != 0, c.Importance),
			mark(" %s", c.Lifecycle != memory.Generated, c.Lifecycle), mark(" until=%s", !c.ValidTo.IsZero(), day(c.ValidTo)),
			mark(" last=%s", !c.LastAt.Equal(c.SaidAt), day(c.LastAt)), mark(" used=%d", c.Accesses != 0, c.Accesses))
		for _, a := range c.Anchors {
			fmt.Fprintf(&out, "    at %s\n", a.Path)
		}
		for line := range strings.Lines(c.Text) {
			fmt.Fprintf(&out, "    | %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, e := range m.Entities {
		fmt.Fprintf(&out, "entity %q (%s) %s\n", e.Name, e.Type, day(e.CreatedAt))
		for _, o := range e.Observations {
			fmt.Fprintf(&out, "    - %q %s%s\n", o.Text, day(o.SaidAt), mark(" confidence=%.1f", o.Confidence != 1, o.Confidence))
		}
	}
	for _, r := range m.Relations {
		fmt.Fprintf(&out, "%q -%s-> %q %s\n", r.From, r.Type, r.To, day(r.CreatedAt))
	}
	for _, l := range m.Links {
		fmt.Fprintf(&out, "link %s -> %s weight %.2f\n", l.From, l.To, l.Weight)
	}
	for _, p := range m.Problems {
		fmt.Fprintf(&out, "problem: %s\n", p)
	}
	return out.String()
}

func golden(t *testing.T, name string, m Memory) {
	t.Helper()
	goldenText(t, name, show(m))
}

func goldenText(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		must.Do(t, os.MkdirAll(filepath.Dir(file), 0o700))
		must.Do(t, os.WriteFile(file, []byte(got), 0o600))
	}
	want := must.Get(os.ReadFile(file))(t)
	if w := strings.ReplaceAll(string(want), "\r\n", "\n"); got != w {
		t.Errorf("%s differs (go test -update rewrites it):\n%s\nwant:\n%s", file, got, w)
	}
}

func TestEveryTextFormatIsReadAsItsToolMeansIt(t *testing.T) {
	for _, c := range []struct {
		golden, fixture, path string
		format                Format
	}{
		{"mcp-memory", "mcp", "memory.jsonl", MCPMemory},
		{"mcp-graph", "mcp", "graph.json", MCPMemory},
		{"howell", "howell", ".", Howell},
		{"vault", "vault", ".", Markdown},
	} {
		t.Run(c.golden, func(t *testing.T) {
			path := filepath.Join(fixture(t, c.fixture), c.path)
			m := read(t, c.format, path, Options{Project: 7})
			golden(t, c.golden, m)
			if again := read(t, c.format, path, Options{Project: 7}); !reflect.DeepEqual(m, again) {
				t.Error("reading twice gives two memories")
			}
		})
	}
}

func TestWhatBelongsToAnotherProjectIsLeftOut(t *testing.T) {
	file := build(t, "brainbox.db", brainBoxSchema, brainBoxRows, "UPDATE neurons SET project = 'blog' WHERE path = 'src/a.ts'",
		"UPDATE neurons SET project = 'shop' WHERE type = 'error' OR path = 'src/b.ts'")
	m := read(t, BrainBox, file, Options{Project: 7, Named: func(name string) (memory.ProjectID, bool) { return 9, name == "shop" }})
	if text := show(m); !strings.Contains(text, "project=9") || strings.Contains(text, "project=7") {
		t.Errorf("got %s", text)
	}
	none := read(t, BrainBox, file, Options{Project: 7, Named: func(string) (memory.ProjectID, bool) { return 0, false }})
	if text := show(none); strings.Contains(text, "TypeError") || !strings.Contains(text, `project "shop": 1 left out`) {
		t.Errorf("memories of a project that hebb does not know: %s", text)
	}
}

func TestUnknownFormatsAreRefusedByName(t *testing.T) {
	_, err := Read(context.Background(), "mem0", t.TempDir(), Options{})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "Markdown") {
		t.Errorf("got %v, want a refusal that lists the formats", err)
	}
}

func TestLongLinesAreReadAndLongerOnesPassedOver(t *testing.T) {
	entity := func(name string, size int) string {
		var text strings.Builder
		for i := 0; text.Len() < size; i++ {
			fmt.Fprintf(&text, "%d ", i)
		}
		return fmt.Sprintf(`{"type":"entity","name":%q,"entityType":"x","observations":[%q]}`+"\n", name, text.String())
	}
	path := write(t, t.TempDir(), "memory.jsonl", entity("ten", 10<<20)+entity("twenty", 20<<20)+entity("small", 10))
	m := read(t, MCPMemory, path, Options{})
	if len(m.Entities) != 2 || m.Entities[0].Name != "ten" || m.Entities[1].Name != "small" {
		t.Fatalf("got %d entities", len(m.Entities))
	}
	total := 0
	for _, o := range m.Entities[0].Observations {
		total += len(o.Text) + 1
	}
	if total < 10<<20-100 {
		t.Errorf("of 10 MB %d bytes were kept", total)
	}
	if len(m.Problems) != 1 || m.Problems[0].Where != "memory.jsonl line 2" {
		t.Errorf("got %v, want one problem on line 2", m.Problems)
	}
}

func TestAwkwardTextIsRead(t *testing.T) {
	wide := "\xff\xfe#\x00 \x00W\x00"
	dir := t.TempDir()
	write(t, dir, "bom.md", "\xef\xbb\xbf---\r\ntitle: Marked\r\ntags: [a, b]\r\n---\r\nLine one\r\nLine two\r\n")
	write(t, dir, "wide.md", wide)
	write(t, dir, "latin.md", "caf\xe9 au lait\n")
	write(t, dir, "nul.md", strings.Repeat("text ", 200)+"a\x00b\n")
	write(t, dir, "binary.md", "PK\x03\x04\x00\x00")
	write(t, dir, "unclosed.md", "---\ntitle: x\n\nText\n")
	write(t, dir, "huge.md", strings.Repeat("x", maxNote+1))
	m := read(t, Markdown, dir, Options{})
	texts := map[string]string{}
	for _, c := range m.Crystals {
		texts[c.Source] = c.Text
	}
	for source, want := range map[string]string{
		"markdown:bom.md": "Marked\nLine one\nLine two", "markdown:latin.md": "caf\uFFFD au lait",
		"markdown:nul.md": "ab", "markdown:unclosed.md": "title: x",
	} {
		if !strings.Contains(texts[source], want) || strings.ContainsAny(texts[source], "\x00\r") {
			t.Errorf("%s: got %q, want %q in it", source, texts[source], want)
		}
	}
	var problems []string
	for _, p := range m.Problems {
		problems = append(problems, p.Where)
	}
	if slices.Sort(problems); !slices.Equal(problems, []string{"binary.md", "huge.md", "latin.md", "unclosed.md", "wide.md"}) {
		t.Errorf("problems: %v", m.Problems)
	}

	lines := "\xef\xbb\xbf{\"type\":\"entity\",\"name\":\"A\\u0000\",\"entityType\":\"x\",\"observations\":[\"caf\xe9\\r\\nb\\u0000\"]}\r\n"
	m = read(t, MCPMemory, write(t, dir, "m.jsonl", lines), Options{})
	if len(m.Entities) != 1 || m.Entities[0].Name != "A" || m.Entities[0].Observations[0].Text != "caf\uFFFD\nb" {
		t.Errorf("got %+v", m.Entities)
	}
	if _, err := Read(context.Background(), MCPMemory, write(t, dir, "w.jsonl", wide), Options{}); !errors.Is(err, memory.ErrInvalid) {
		t.Errorf("UTF-16 lines: got %v", err)
	}
}

func TestLinksDoNotLeadOutOfTheFolderNorInCircles(t *testing.T) {
	outside := t.TempDir()
	write(t, outside, "secret.md", "the secret\n")
	write(t, outside, "dir/more.md", "the secret\n")
	dir := t.TempDir()
	write(t, dir, "AGENTS.md", "# Rules\n\nBe kind.\n")
	write(t, dir, "sub/b.md", "inside\n")
	for name, to := range map[string]string{
		"CLAUDE.md": "AGENTS.md", "out.md": filepath.Join(outside, "secret.md"), "up.md": "../" + filepath.Base(outside) + "/secret.md",
		"outside": outside, "loop": ".", "sub/loop": "..", "self.md": "self.md", "dangling.md": "nothing.md",
	} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))))
	}
	m := read(t, Markdown, dir, Options{})
	var sources []string
	for _, c := range m.Crystals {
		sources = append(sources, c.Source)
		if strings.Contains(c.Text, "secret") {
			t.Errorf("%s was read through a link", c.Source)
		}
	}
	if !slices.Equal(sources, []string{"markdown:AGENTS.md", "markdown:sub/b.md"}) {
		t.Errorf("read %v", sources)
	}
	if len(m.Problems) != 5 {
		t.Errorf("want the five links to notes named, got %v", m.Problems)
	}
}

func TestAWhollyUnreadableFileIsAnError(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		format Format
		text   string
		want   error
	}{
		{MCPMemory, "once upon\na time\n", memory.ErrInvalid},
		{Howell, `{"entities":{"A"`, memory.ErrDamaged},
		{BrainBox, "SQLite format 3\x00 and then nothing of the kind", memory.ErrDamaged},
		{BrainBox, "no database", memory.ErrInvalid},
	} {
		file := write(t, dir, "file", c.text)
		_, err := Read(context.Background(), c.format, file, Options{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: got %v, want %v and the file's name", c.format, err, c.want)
		}
	}
	for _, format := range Formats {
		if _, err := Read(context.Background(), format, filepath.Join(dir, "missing"), Options{}); !errors.Is(err, memory.ErrNotFound) {
			t.Errorf("%s: a missing file gives %v", format, err)
		}
	}
}

func TestReadingCanBeStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		format Format
		path   string
	}{{MCPMemory, "mcp/memory.jsonl"}, {Markdown, "vault"}, {Howell, "howell"}} {
		if _, err := Read(ctx, c.format, filepath.Join("testdata", filepath.FromSlash(c.path)), Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", c.format, err)
		}
	}
}

func TestComplaintsAreCountedNotPiledUp(t *testing.T) {
	text := `{"type":"entity","name":"A","entityType":"x","observations":[]}` + "\n" + strings.Repeat("junk\n", 3*maxProblems)
	m := read(t, MCPMemory, write(t, t.TempDir(), "m.jsonl", text), Options{})
	if n := len(m.Problems); n != maxProblems+1 || !strings.Contains(m.Problems[n-1].What, fmt.Sprint(2*maxProblems)) {
		t.Errorf("%d problems, the last is %v", n, m.Problems[n-1])
	}
}

func TestTextIsCutBetweenParagraphs(t *testing.T) {
	text := strings.TrimSpace(strings.Repeat(strings.Repeat("wörd ", 30)+"\n\n", 40))
	parts := pieces(text, 1000)
	for _, p := range parts {
		if len(p) > 1000 || !strings.HasPrefix(p, "wörd") || strings.ContainsRune(p, '\uFFFD') {
			t.Errorf("a part of %d bytes: %q", len(p), p[:20])
		}
	}
	if strings.Join(strings.Fields(strings.Join(parts, " ")), " ") != strings.Join(strings.Fields(text), " ") {
		t.Error("words were lost")
	}
	if got := pieces(strings.Repeat("ö", 2000), 999); len(got) < 4 || !bytes.Equal([]byte(strings.Join(got, "")), []byte(strings.Repeat("ö", 2000))) {
		t.Error("a word without end is not cut between its letters")
	}
}

func TestTimesOfAllTheTools(t *testing.T) {
	oslo := time.FixedZone("CET", 3600)
	for _, c := range []struct{ text, want string }{
		{"2026-02-17T09:00:00.000Z", "2026-02-17T09:00:00Z"}, {"2026-01-02T10:00:00.123456789-08:00", "2026-01-02T18:00:00.123Z"},
		{"2026-02-03 10:11:12", "2026-02-03T09:11:12Z"}, {"2026-02-03T10:11:12.123456", "2026-02-03T09:11:12.123Z"},
		{"2026-02-03", "2026-02-02T23:00:00Z"}, {"February 07, 2026", "2026-02-06T23:00:00Z"},
		{"yesterday", ""}, {"0001-01-01T00:00:00Z", ""}, {"9999-01-01", ""},
	} {
		got := moment(c.text, oslo)
		if (c.want == "") != got.IsZero() || c.want != "" && got.Format(time.RFC3339Nano) != c.want {
			t.Errorf("%q: got %v, want %s", c.text, got, c.want)
		}
	}
	for _, n := range []int64{1_770_000_000, 1_770_000_000_000, 1_770_000_000_000_000} {
		if got := unix(n).Format(time.DateOnly); got != "2026-02-02" {
			t.Errorf("%d is %s", n, got)
		}
	}
}
