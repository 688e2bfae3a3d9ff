package embedding

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// readBench hands every line of a file of the benchmark to use. Its texts belong to others and are
// not shipped.
func readBench[Line any](t testing.TB, name string, use func(Line)) {
	t.Helper()
	folder := cmp.Or(os.Getenv("HEBB_BENCH"), filepath.Join("..", "..", "..", "shared", "bench"))
	file, err := os.Open(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		t.Skipf("=== NOT RUN on real texts: %v; set HEBB_BENCH to the folder that holds text/ and histories/ ===", err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line Line
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		use(line)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type turn struct {
	Dialogue string `json:"ns"`
	ID       string
	Speaker  string
	Text     string
}

type question struct {
	Dialogue string `json:"ns"`
	Category string
	Query    string
	Gold     []string
}

// realTexts are the vectors of commit subjects and turns of conversations, and those of questions.
func realTexts(t testing.TB, histories ...string) (texts, questions []memory.Vector) {
	t.Helper()
	keep := func(to *[]memory.Vector, text string) {
		if v := General(vocab.Words(text)); v != nil {
			*to = append(*to, v)
		}
	}
	for _, name := range histories {
		readBench(t, "histories/"+name+".jsonl.gz", func(c struct{ Subject string }) { keep(&texts, c.Subject) })
	}
	readBench(t, "text/locomo/memories.jsonl.gz", func(m turn) { keep(&texts, m.Text) })
	readBench(t, "text/locomo/queries.jsonl.gz", func(q question) { keep(&questions, q.Query) })
	if len(texts) == 0 {
		t.Fatal("this build has no table")
	}
	return texts, questions
}
