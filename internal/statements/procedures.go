package statements

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
	"github.com/hebb-memory/hebb/internal/vocab"
)

// ProcedureFile is a how-to that a person wrote into the folder for them.
type ProcedureFile struct {
	Name  string    `json:"name"` // of the file, without .md
	Title string    `json:"title,omitempty"`
	File  string    `json:"file"`
	At    time.Time `json:"at"` // last changed
	Bytes int64     `json:"bytes"`

	Text string `json:"-"` // fit to be kept
}

// ProcedureList lists how-tos by name.
type ProcedureList struct {
	Folder     string          `json:"folder"`
	Procedures []ProcedureFile `json:"procedures"`
	// Problems name files that were passed over, and why.
	Problems []string `json:"problems"`
}

// Procedures lists the how-tos, and makes them findable as they are now.
var Procedures = brain.Operation[struct{}, ProcedureList]{
	Name: "procedures",
	Run: func(ctx context.Context, b *brain.Brain, _ struct{}) (ProcedureList, error) {
		if err := os.MkdirAll(b.Config.Procedures(), 0o700); err != nil { // the page that says where files go must not lie
			return ProcedureList{}, fmt.Errorf("procedures: %w", err)
		}
		return ImportProcedures(ctx, b)
	},
}

// ProcedureInput asks how something is done.
type ProcedureInput struct {
	brain.Scope
	Topic string `json:"topic" arg:"1.."`
}

// ProcedureResult is how it is done: a file, or what was remembered of it.
type ProcedureResult struct {
	ProcedureFile
	Crystal memory.CrystalID `json:"crystal,omitempty"` // of what was remembered without a file
	Text    string           `json:"text"`
	// Also names other files that match.
	Also     []string `json:"also,omitempty"`
	Problems []string `json:"problems"`
}

// MatchProcedures returns the files whose name or heading is a topic or holds its words, the closest first.
func MatchProcedures(files []ProcedureFile, topic string) []ProcedureFile {
	topic = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(topic), ".md"))
	words := vocab.TextWords(topic)
	rank := func(f ProcedureFile) int {
		name, title := strings.ToLower(f.Name), strings.ToLower(f.Title)
		known := vocab.TextWords(f.Name + " " + f.Title)
		switch {
		case topic == "":
			return -1
		case name == topic:
			return 0
		case title == topic:
			return 1
		case strings.Contains(name, topic) || strings.Contains(title, topic):
			return 2
		case texts.HoldsAll(known, words):
			return 3
		}
		return -1
	}
	found := slices.DeleteFunc(slices.Clone(files), func(f ProcedureFile) bool { return rank(f) < 0 })
	slices.SortStableFunc(found, func(a, b ProcedureFile) int { return cmp.Compare(rank(a), rank(b)) })
	return found
}

const (
	procedurePrefix = "procedure:" // and the name of the file
	procedureMost   = 256 << 10    // bytes of a file; more is no how-to
	traceFileGone   = "file is gone"
)

// proceduresTaken is what was imported when the folder was last read.
type proceduresTaken struct {
	Files map[string]int64 `json:"files"` // fingerprint of what each says
}

var proceduresRead = store.NewFact[proceduresTaken]("text/procedures")

// ProcedureSource is what a file's crystal is made of.
func ProcedureSource(file string) string {
	return procedurePrefix + scrub.Line(scrub.Clean(file))
}

// ImportProcedures makes how-tos findable as they are now.
func ImportProcedures(ctx context.Context, b *brain.Brain) (out ProcedureList, err error) {
	out = ProcedureList{Folder: b.Config.Procedures(), Procedures: []ProcedureFile{}, Problems: []string{}}
	entries, err := os.ReadDir(out.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a folder that cannot be read is not an empty one
		out.Problems = append(out.Problems, err.Error())
		return out, nil
	}
	taken, err := brain.View(ctx, b.Store, func(tx *store.Tx) (proceduresTaken, error) { return proceduresRead.Get(ctx, tx) })
	if err != nil {
		return out, err
	}
	now := proceduresTaken{Files: map[string]int64{}}
	for _, entry := range entries {
		info, gone := entry.Info()
		if gone != nil || strings.HasPrefix(entry.Name(), ".") || !strings.EqualFold(filepath.Ext(entry.Name()), ".md") {
			continue
		}
		f, err := readProcedure(out.Folder, info)
		if err != nil {
			out.Problems = append(out.Problems, scrub.Line(info.Name())+" "+err.Error())
			if hash, known := taken.Files[info.Name()]; known {
				now.Files[info.Name()] = hash // what it said before stays until it can be read
			}
			continue
		}
		out.Procedures = append(out.Procedures, f)
		now.Files[info.Name()] = memory.ContentHash(f.Text)
	}
	if maps.Equal(taken.Files, now.Files) {
		return out, nil
	}
	return out, b.Store.UpdateDurable(ctx, func(tx *store.Tx) error { return keepProcedures(ctx, tx, out.Procedures, now) })
}

// readProcedure reads one file, as it may be kept. Links are not followed: they may lead anywhere.
func readProcedure(folder string, info fs.FileInfo) (f ProcedureFile, err error) {
	switch {
	case !utf8.ValidString(info.Name()):
		return f, errors.New("has a name that is no UTF-8; rename it")
	case info.Mode()&fs.ModeSymlink != 0:
		return f, errors.New("is a link; put the file itself there")
	case !info.Mode().IsRegular():
		return f, errors.New("is no plain file")
	case info.Size() > procedureMost:
		return f, fmt.Errorf("has more than %d KB; split it", procedureMost>>10)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return f, err
	}
	defer func() { _ = root.Close() }()
	raw, err := filesys.ReadIn(root, info.Name(), procedureMost+1)
	switch {
	case err != nil:
		return f, err
	case len(raw) > procedureMost:
		return f, fmt.Errorf("has more than %d KB; split it", procedureMost>>10)
	case !utf8.Valid(raw):
		return f, errors.New("is no UTF-8 text; save it as UTF-8")
	}
	f = ProcedureFile{
		Name: strings.TrimSuffix(info.Name(), filepath.Ext(info.Name())), File: filepath.Join(folder, info.Name()), At: info.ModTime(), Bytes: info.Size(),
		Text: strings.TrimSpace(scrub.Clean(strings.TrimPrefix(string(raw), "\ufeff"))),
	}
	if f.Text == "" {
		return f, errors.New("is empty")
	}
	f.Title = firstHeading(f.Text)
	return f, nil
}

func firstHeading(text string) string {
	for line := range strings.Lines(text) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			return scrub.Line(strings.TrimRight(strings.TrimSpace(title), "# "))
		}
	}
	return ""
}

// keepProcedures makes crystals of files that are new or say something else now, and history of those that are gone.
func keepProcedures(ctx context.Context, tx *store.Tx, files []ProcedureFile, now proceduresTaken) error {
	before, err := proceduresRead.Get(ctx, tx) // another process may have been quicker
	if err != nil {
		return err
	}
	kept, err := tx.Crystals(ctx, store.CrystalFilter{Kinds: []memory.CrystalKind{memory.Procedure}, Projects: []memory.ProjectID{0}, Current: true})
	if err != nil {
		return err
	}
	bySource := map[string][]memory.Crystal{}
	for _, c := range kept {
		bySource[c.Source] = append(bySource[c.Source], c.Crystal)
	}
	for _, f := range files {
		name := filepath.Base(f.File)
		if hash, known := before.Files[name]; known && hash == now.Files[name] {
			continue
		}
		source := ProcedureSource(name)
		if err := keepProcedure(ctx, tx, f, source, bySource[source]); err != nil {
			return err
		}
	}
	for name := range before.Files {
		if _, there := now.Files[name]; there {
			continue
		}
		for _, c := range bySource[ProcedureSource(name)] {
			if err := EndCrystal(ctx, tx, c, traceFileGone, ""); err != nil {
				return err
			}
		}
	}
	return proceduresRead.Set(ctx, tx, now)
}

// keepProcedure keeps a file as a crystal that replaces those made of it before. Statements are compared by what they claim; of a
// file only the latest text counts.
func keepProcedure(ctx context.Context, tx *store.Tx, f ProcedureFile, source string, before []memory.Crystal) (err error) {
	if len(before) == 1 && before[0].Text == f.Text {
		return nil
	}
	c := memory.Crystal{
		Kind: memory.Procedure, Text: f.Text, Subject: texts.NormalSubject(scrub.Line(scrub.Clean("procedure " + f.Name))), Origin: memory.OriginUser,
		Source: source, Lifecycle: memory.Generated, SaidAt: tx.Now, LastAt: tx.Now, Importance: SaidImportance,
	}
	if c.ID, err = NewCrystalID(tx); err != nil {
		return err
	}
	for _, older := range before {
		c.Parents = append(c.Parents, older.ID)
		if err := EndCrystal(ctx, tx, older, TraceSuperseded, string(c.ID)); err != nil {
			return err
		}
	}
	return StoreCrystal(ctx, tx, c)
}
