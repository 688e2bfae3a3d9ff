package learn_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/learn"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/recall"
	"github.com/hebb-memory/hebb/internal/vocab"
)

func TestAQuestionFindsAFileByItsTextAndFollowsItsChanges(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		write := func(name, text string) {
			must.Do(g.T, os.WriteFile(filepath.Join(g.Path("shop"), name), []byte(text), 0o600))
			g.Git("shop", "add", name)
		}
		write("a.go", "package shop\n\nfunc invoiceTotal() { roundHalfEven() }\n")
		for _, name := range []string{"b.go", "c.go", "d.go", "e.go"} {
			write(name, "package shop\n\nfunc other() {}\n")
		}
		g.Git("shop", "commit", "-q", "-m", "more files")
		learned := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		ask := func() (paths []string) {
			out := braintest.Must(g.Lab, ranking.Recall, ranking.RecallInput{
				Scope: brain.Scope{Project: learned.Project.String()}, Text: "rounding is wrong", Explain: true,
			})
			for _, f := range out.Files {
				for _, p := range f.Parts {
					if p.Term == "contents" && p.Share > 0 {
						paths = append(paths, f.Path)
					}
				}
			}
			return paths
		}
		braintest.Must(g.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: g.Path("shop")})
		if got := ask(); len(got) != 1 || got[0] != "a.go" {
			g.T.Errorf("found by their text: %q, want a.go", got)
		}
		write("a.go", "package shop\n\nfunc invoiceTotal() {}\n")
		write("b.go", "package shop\n\nfunc other() { roundHalfEven(1) }\n")
		braintest.Must(g.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: g.Path("shop")})
		if got := ask(); len(got) != 1 || got[0] != "b.go" {
			g.T.Errorf("found by their text after a change: %q, want b.go", got)
		}
	})
}

func TestAnOpenFileLeadsToWhatDefinesAndUsesItsNames(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		for name, text := range map[string]string{
			"invoice.go": "package shop\n\nfunc invoiceTotal() { roundHalfEven(1) }\n",
			"money.go":   "package shop\n\nfunc roundHalfEven(x int) {}\n",
			"b.go":       "package shop\n\nfunc other() {}\n",
			"c.go":       "package shop\n\nfunc another() {}\n",
			"d.go":       "package shop\n\nfunc third() {}\n",
			"e.go":       "package shop\n\nfunc last() {}\n",
		} {
			braintest.WriteFile(g.T, filepath.Join(g.Path("shop"), name), []byte(text))
			g.Git("shop", "add", name)
			g.Git("shop", "commit", "-q", "-m", "add "+name) // nothing but their names ties these files
		}
		learned := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		braintest.Must(g.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: g.Path("shop")})
		for open, want := range map[string]string{"invoice.go": "money.go", "money.go": "invoice.go"} {
			out := braintest.Must(g.Lab, ranking.Recall, ranking.RecallInput{
				Scope: brain.Scope{Project: learned.Project.String()}, Open: []string{open}, Explain: true,
			})
			var akin []string
			for _, f := range out.Files {
				for _, p := range f.Parts {
					if p.Term == "akin" && p.Share > 0 {
						akin = append(akin, f.Path)
					}
				}
			}
			if len(akin) != 1 || akin[0] != want {
				g.T.Errorf("akin to %s: %q, want %s", open, akin, want)
			}
		}
	})
}

func TestNoWordOfASecretIsKept(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		for name, text := range map[string]string{
			".env":       "DB_PASSWORD=correcthorse77staple\nGREETING=dotenvgreeting\n",
			"server.pem": "pemgreeting\n",
			"a.go":       "package shop\n\nfunc connect() { open(password, \"x\") }\n\nvar password = \"Wrongkangaroo99Battery\"\n",
		} {
			must.Do(g.T, os.WriteFile(filepath.Join(g.Path("shop"), name), []byte(text), 0o600))
			g.Git("shop", "add", name)
		}
		g.Git("shop", "commit", "-q", "-m", "more files")
		learned := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		braintest.Must(g.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: g.Path("shop")})
		kept := must.Get(recall.OpenFileWords(g.Config.Contents(learned.Project)))(g.T)
		defer func() { _ = kept.Close() }()
		for text, want := range map[string]int{"connect": 1, "correcthorse77staple": 0, "Wrongkangaroo99Battery": 0, "dotenvgreeting": 0, "pemgreeting": 0} {
			words := vocab.Words(text)
			if len(words) == 0 {
				g.T.Errorf("%q has no words", text)
			}
			for _, w := range words {
				if found, err := kept.Find([]vocab.Word{vocab.WordOf(w)}, 10); err != nil || len(found) != want {
					g.T.Errorf("%q of %q is found in %v, %v; want %d files", w, text, found, err, want)
				}
			}
		}
	})
}

// A folder that cannot be written costs ranking the words of files and nothing else.
func TestCodeIsReadAlthoughTheWordsOfFilesCannotBeKept(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		braintest.WriteFile(g.T, filepath.Join(g.Path("shop"), "a.go"), []byte("package shop\n\nfunc invoiceTotal() int {\n\ta := 1\n\tb := 2\n\tc := 3\n\treturn a + b + c\n}\n"))
		g.Git("shop", "add", "a.go")
		g.Git("shop", "commit", "-q", "-m", "add invoices")
		braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		must.Do(g.T, os.RemoveAll(g.Config.Cache()))
		braintest.WriteFile(g.T, g.Config.Cache(), []byte("not a folder"))
		out, err := learn.RefreshSnippets(g.T.Context(), g.Brain, learn.SnippetsInput{Dir: g.Path("shop")})
		if err == nil || out.Snippets == 0 {
			g.T.Errorf("%d snippets, error %v; want some and an error", out.Snippets, err)
		}
	})
}

func TestTheWordsOfAForgottenProjectAreNotKeptAgain(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		out := must.Get(learn.RefreshSnippets(g.T.Context(), g.Brain, learn.SnippetsInput{Dir: g.Path("shop"), Documents: true}))(g.T)
		if _, err := os.Stat(g.Config.Contents(out.Project)); !os.IsNotExist(err) {
			g.T.Errorf("words of a project that the store does not know: %v", err)
		}
	})
}

func TestTheWordsOfFilesAreReadOnlyWhereTheyAreWanted(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		learned := braintest.Must(g.Lab, learn.LearnHistory, learn.LearnInput{Dir: g.Path("shop")})
		for _, wordless := range []bool{true, false} {
			braintest.Must(g.Lab, learn.ReadSnippets, learn.SnippetsInput{Dir: g.Path("shop"), Documents: true, Wordless: wordless})
			if _, err := os.Stat(g.Config.Contents(learned.Project)); os.IsNotExist(err) != wordless {
				g.T.Errorf("wordless %v: %v", wordless, err)
			}
		}
	})
}

func TestARunEndsInTimeAndTheNextOneGoesOn(t *testing.T) {
	t.Parallel()
	braintest.OnGround(t, func(g *braintest.Ground) {
		g.Repository("shop", 3)
		for i := range 5 {
			code := fmt.Sprintf("package shop\n\nfunc price%d() {\n\tround()\n\tround()\n\tround()\n}\n", i)
			braintest.WriteFile(g.T, filepath.Join(g.Path("shop"), fmt.Sprintf("price%d.go", i)), []byte(code))
		}
		g.Now = func() time.Time { g.Clock = g.Clock.Add(time.Second); return g.Clock } // each look at the clock takes a second
		in := learn.SnippetsInput{Dir: g.Path("shop"), Wordless: true, Longest: 4 * time.Second}
		first := braintest.Must(g.Lab, learn.ReadSnippets, in).Changed
		in.Longest = 0
		if rest := braintest.Must(g.Lab, learn.ReadSnippets, in).Changed; first == 0 || rest == 0 || first+rest != 7 {
			g.T.Errorf("%d and then %d of 7 files were read", first, rest)
		}
	})
}
