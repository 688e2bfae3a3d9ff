package transfer

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/forget"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/texts"
)

// ImportInput is an export to import.
type ImportInput struct {
	From io.ReadSeeker // read twice
	// Mine keeps origins. Without it everything is marked as imported, the least trusted origin, because a file from elsewhere
	// must not count as the user's words.
	Mine bool
}

// Import checks a whole export, then stores it in short transactions. What is already known stays as it is, so an import that was
// interrupted is finished by running it again.
func Import(ctx context.Context, b *brain.Brain, in ImportInput) (out TransferResult, err error) {
	t := newImporter(in, &out)
	err = b.Store.View(ctx, func(tx *store.Tx) error {
		t.tx, t.now = tx, tx.Now
		return t.lines(in.From, func(l line) error { return l.at(l.kind.checkLine(ctx, t, l.value)) })
	})
	if err != nil {
		return out, fmt.Errorf("import: nothing was changed: %w", err)
	}
	if err := t.takeInBatches(ctx, b.Store, func(update func(context.Context, func(*store.Tx) error) error, work func(*record.Recorder) error) error {
		return record.Recording(ctx, b, update, work)
	}, in.From); err != nil {
		return out, fmt.Errorf("import: what comes before was imported, and is skipped next time: %w", err)
	}
	return out, forget.LearnAnew(ctx, b)
}

// takeAll imports a whole file within one transaction, for a restore.
func takeAll(ctx context.Context, r *record.Recorder, in ImportInput) (out TransferResult, err error) {
	t := newImporter(in, &out)
	t.tx, t.now = r.Tx, r.Tx.Now
	var all []line
	err = t.lines(in.From, func(l line) error {
		all = append(all, l)
		return l.at(l.kind.checkLine(ctx, t, l.value))
	})
	if err == nil {
		err = t.takeBatch(ctx, r, all, true)
	}
	if err != nil {
		return out, err
	}
	return out, t.noteFiles(ctx, r, t.notes)
}

// batchWeight is the weight of the lines that one transaction stores; an event is 1.
const batchWeight = 60

// weighted is a value that is more work to store than an event.
type weighted interface{ weight() int }

// recording does work with a recorder in a transaction.
type recording func(update func(context.Context, func(*store.Tx) error) error, work func(*record.Recorder) error) error

// takeInBatches stores a file, some lines in each transaction.
func (t *importer) takeInBatches(ctx context.Context, st *store.Store, recording recording, from io.ReadSeeker) error {
	var batch []line
	weight := 0
	write := func(last bool) error {
		before := *t.out
		update := st.UpdateSome
		if last {
			update = st.UpdateDurable
		}
		err := recording(update, func(r *record.Recorder) error {
			*t.out = before // it may run more than once
			return t.takeBatch(ctx, r, batch, last)
		})
		batch, weight = batch[:0], 0
		return err
	}
	err := t.lines(from, func(l line) error {
		// The states of a project are stored together or not at all.
		among := len(batch) > 0 && l.kind == lineKind(states) && batch[len(batch)-1].kind == l.kind
		if weight >= batchWeight && !among {
			if err := write(false); err != nil {
				return err
			}
		}
		batch = append(batch, l)
		if w, ok := l.value.(weighted); ok {
			weight += w.weight()
		} else {
			weight++
		}
		return nil
	})
	if err == nil {
		err = write(true)
	}
	if err != nil {
		return err
	}
	for some := range slices.Chunk(t.notes, batchWeight) {
		err := recording(st.UpdateDurable, func(r *record.Recorder) error { return t.noteFiles(ctx, r, some) })
		if err != nil {
			return err
		}
	}
	return nil
}

// importer imports one export.
type importer struct {
	tx   *store.Tx
	now  time.Time // no time of the file may be later
	mine bool
	out  *TransferResult
	// Projects, sessions, entities and notes of the file, known since it was checked.
	projects map[memory.ProjectID]bool
	sessions map[memory.SessionID]memory.Session
	entities map[memory.CrystalID]bool
	notes    []writtenNote
	dreamt   map[memory.ProjectID]bool // had a state before the import
	// Of the batch: the sessions that get events, as they were before; the projects that do; and
	// the knowledge that changes.
	visited map[memory.SessionID]memory.Session
	changed map[memory.ProjectID]bool
	graphs  map[memory.ProjectID]*texts.GraphChange
}

func newImporter(in ImportInput, out *TransferResult) *importer {
	return &importer{
		mine: in.Mine, out: out, projects: map[memory.ProjectID]bool{}, sessions: map[memory.SessionID]memory.Session{},
		entities: map[memory.CrystalID]bool{}, dreamt: map[memory.ProjectID]bool{},
	}
}

// takeBatch stores some lines; last says that they are the last of the file.
func (t *importer) takeBatch(ctx context.Context, r *record.Recorder, lines []line, last bool) error {
	t.tx = r.Tx
	t.visited, t.changed, t.graphs = map[memory.SessionID]memory.Session{}, map[memory.ProjectID]bool{}, map[memory.ProjectID]*texts.GraphChange{}
	for _, l := range lines {
		if err := l.kind.takeLine(ctx, t, l.value); err != nil {
			return l.at(err)
		}
	}
	if last {
		if err := t.describedSessions(ctx); err != nil {
			return err
		}
	}
	for id, was := range t.visited {
		if err := t.updateSession(ctx, id, was.LastEventAt); err != nil {
			return err
		}
	}
	for _, g := range t.graphs {
		if err := g.Index(ctx); err != nil {
			return err
		}
	}
	for p := range t.changed {
		if err := record.MarkAnew(ctx, t.tx, p); err != nil {
			return err
		}
	}
	return nil
}

// line is one line of an export.
type line struct {
	number int // in its file
	kind   lineKind
	value  any
}

// at adds the line to an error.
func (l line) at(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("line %d: %w", l.number, err)
}

// lines reads a file from its start, line by line.
func (t *importer) lines(file io.ReadSeeker, each func(line) error) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	from := bufio.NewReader(file)
	for number := 1; ; number++ {
		text, err := readLine(from, longestLine)
		l := line{number: number}
		if err != nil && !errors.Is(err, io.EOF) {
			return l.at(err)
		}
		switch {
		case number == 1:
			if err := checkHeader(text); err != nil {
				return l.at(err)
			}
		case len(bytes.TrimSpace(text)) > 0:
			if l.kind, l.value, err = t.decode(text); err != nil {
				return l.at(err)
			}
			if err := each(l); err != nil {
				return err
			}
		}
		if !bytes.HasSuffix(text, []byte("\n")) {
			return nil
		}
	}
}

// longestLine is far above what a line of an export has; a longer one is no export.
const longestLine = 32 << 20

// readLine reads a line with its end, and gives up on one of more than so many bytes.
func readLine(from *bufio.Reader, most int) (text []byte, err error) {
	for {
		part, err := from.ReadSlice('\n')
		if len(text)+len(part) > most {
			return nil, fmt.Errorf("is longer than %d MB, which no line of an export is: %w", most>>20, memory.ErrInvalid)
		}
		if text = append(text, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// CopyExport copies an export that cannot be read twice. It gives up on what is none at its first line.
func CopyExport(to io.Writer, from io.Reader) error {
	buffered := bufio.NewReader(from)
	for number := 1; ; number++ {
		text, err := readLine(buffered, longestLine)
		if err != nil && !errors.Is(err, io.EOF) {
			return line{number: number}.at(err)
		}
		if number == 1 {
			if err := checkHeader(text); err != nil {
				return line{number: 1}.at(err)
			}
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
		if err != nil {
			return nil
		}
	}
}

func (t *importer) decode(text []byte) (k lineKind, value any, err error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", memory.ErrInvalid, err)
	}
	var name string
	_ = json.Unmarshal(fields["type"], &name) // no name is unknown
	for _, k := range lineKinds {
		if raw := fields[name]; k.typ() == name && len(raw) > 0 {
			value, err = k.decode(t, raw)
			return k, value, err
		}
	}
	return nil, nil, fmt.Errorf("unknown line type %q: %w", name, memory.ErrInvalid)
}

// checkHeader refuses a file that is no export, or one of a format that this hebb does not read.
func checkHeader(text []byte) error {
	if bytes.HasPrefix(text, []byte(sqliteMagic)) {
		return fmt.Errorf("this is a backup; hebb backup restore brings it back: %w", memory.ErrInvalid)
	}
	var header struct {
		Type    string
		Version int
	}
	if err := json.Unmarshal(text, &header); err != nil || header.Type != headerLine {
		return fmt.Errorf("this is no export of hebb, which starts with a %q line: %w", headerLine, memory.ErrInvalid)
	}
	if header.Version < 1 || header.Version > exportVersion {
		return fmt.Errorf("export version %d, this hebb reads version %d: upgrade hebb: %w", header.Version, exportVersion, memory.ErrRefused)
	}
	return nil
}

// checkProjectID refuses a project that neither the file nor this store has; 0 is the person's own.
func (t *importer) checkProjectID(ctx context.Context, id memory.ProjectID) error {
	if id == 0 || t.projects[id] {
		return nil
	}
	_, err := t.tx.Project(ctx, id)
	return err
}

// moment is a time of the file as it is stored.
func (t *importer) moment(at time.Time) time.Time {
	if at.After(t.now) {
		return t.now
	}
	return at.UTC().Truncate(time.Millisecond)
}

// known counts a value that is here already, or was deleted here, unless err is set.
func (t *importer) known(err error) error {
	if err == nil {
		t.out.Known++
	}
	return err
}

// origin keeps an origin if the file is the user's own.
func (t *importer) origin(o memory.Origin) memory.Origin {
	if !t.mine || !slices.Contains(memory.Origins, o) {
		return memory.OriginImport
	}
	return o
}

func oneLine(text string) string { return scrub.Line(scrub.Clean(text)) }

func cleanLines(texts ...*string) {
	for _, text := range texts {
		*text = oneLine(*text)
	}
}

// sqliteMagic begins every SQLite database.
const sqliteMagic = "SQLite format 3\x00"
