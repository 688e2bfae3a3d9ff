package text

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/store/db"
)

// Kept is a crystal with the number of its document.
type Kept struct {
	memory.Crystal
	Document int64
}

const memoryColumns = `id, COALESCE(document_id, 0), project_id, kind, name, text, subject, importance, valence, lifecycle, origin, source, session_id,
	heard, parents, said_at, valid_to, last_at, accesses, gap_hours, unsure, marks, more`

// Beginning is how many characters a brief reading has of a text: a line, and what a question is looked for in.
const Beginning = 4 << 10

// columns are memoryColumns as the filter wants them.
func (f CrystalFilter) columns() string {
	if !f.Brief {
		return memoryColumns
	}
	return strings.Replace(memoryColumns, ` text,`, fmt.Sprintf(` SUBSTR(text, 1, %d),`, Beginning), 1)
}

// fields are where memoryColumns go.
func (c *Kept) fields() []any {
	return []any{
		&c.ID, &c.Document, (*int64)(&c.Project), &c.Kind, &c.Name, &c.Text, &c.Subject, &c.Importance, &c.Valence, &c.Lifecycle, &c.Origin, &c.Source,
		(*int64)(&c.Session), &c.Heard, db.Words(&c.Parents), db.Time(&c.SaidAt), db.Time(&c.ValidTo), db.Time(&c.LastAt), &c.Accesses, &c.GapHours, &c.Unsure, db.Lines(&c.Marks), moreColumn{c},
	}
}

// moreColumn reads what the kind of a memory alone has.
type moreColumn struct{ of *Kept }

func (c moreColumn) Scan(value any) error {
	text, ok := value.(string)
	switch {
	case !ok:
		return fmt.Errorf("JSON of type %T", value)
	case text == "":
		return nil
	case c.of.Kind.Statement():
		return json.Unmarshal([]byte(text), &c.of.Line)
	}
	c.of.More = json.RawMessage(text)
	return nil
}

// Keep writes a memory whole: a new one, or one that has changed. What was forgotten is there again.
func (tx *Tx) Keep(ctx context.Context, m memory.Memory) error {
	more := string(m.More)
	if m.Line != nil { // a line of knowledge has this beside its text
		line, err := json.Marshal(m.Line)
		if err != nil {
			return fmt.Errorf("keep %s: %w", m.ID, err)
		}
		more = string(line)
	}
	err := tx.db.Put(ctx, CheckedMemory, string(m.ID), int64(m.Project), string(m.Kind), m.Name, m.Text, string(m.Origin), indexed(m.Subject), m.Importance, m.Valence,
		string(m.Lifecycle), m.Source, int64(m.Session), m.Heard, join(m.Parents, "", " "), db.Millis(m.SaidAt), db.TimeOrNull(m.ValidTo), db.Millis(m.LastAt),
		m.Accesses, m.GapHours, db.Flag(m.Unsure), strings.Join(m.Marks, "\n"), more, m.Hash())
	if err == nil {
		_, err = tx.db.Exec(ctx, `DELETE FROM anchor WHERE crystal_id = ?`, string(m.ID))
	}
	for _, a := range m.Anchors {
		if err == nil {
			err = tx.db.Put(ctx, checkedAnchor, string(m.ID), indexed(a.Path), indexed(a.Symbol), int64(m.Project), a.Commit, a.Hash, db.Flag(a.AtHand))
		}
	}
	if err == nil {
		err = tx.Unbury(ctx, 1, memory.EventID(m.ID))
	}
	return db.Wrap(err, "keep %s", m.ID)
}

// join writes words, each between two texts.
func join[T ~string](list []T, before, after string) string {
	var b strings.Builder
	for _, v := range list {
		b.WriteString(before + string(v) + after)
	}
	return b.String()
}

// Has reports whether a memory is there.
func (tx *Tx) Has(ctx context.Context, id memory.CrystalID) (bool, error) {
	return tx.db.Any(ctx, `memory WHERE id = ?`, string(id))
}

// AddCrystal writes a statement with the document that makes it findable, and returns that document's number. The words are
// those of its text.
func (tx *Tx) AddCrystal(ctx context.Context, c memory.Crystal, words []string) (int64, error) {
	if known, err := tx.Has(ctx, c.ID); err != nil || known {
		return 0, cmp.Or(err, fmt.Errorf("add crystal %s: it is there: %w", c.ID, memory.ErrConflict))
	}
	doc := Document{
		Ref: string(c.ID), Project: c.Project, Kind: string(c.Kind), Origin: c.Origin, At: c.SaidAt, Text: c.Text, Words: words,
	}
	if i := slices.IndexFunc(c.Anchors, func(a memory.Anchor) bool { return !a.AtHand }); i >= 0 {
		doc.Path = c.Anchors[i].Path
	}
	ids, err := tx.AddDocuments(ctx, []Document{doc})
	if err == nil {
		err = tx.Keep(ctx, c)
	}
	if err != nil {
		return 0, err
	}
	return ids[0], tx.db.Run(ctx, `UPDATE memory SET document_id = ? WHERE id = ?`, ids[0], string(c.ID))
}

// SaveCrystal writes what changes in a statement's life. What it says never does.
func (tx *Tx) SaveCrystal(ctx context.Context, c memory.Crystal) error {
	known, err := tx.Crystal(ctx, c.ID)
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	c.Project, c.Kind, c.Text, c.Origin, c.Session, c.SaidAt = known.Project, known.Kind, known.Text, known.Origin, known.Session, known.SaidAt
	return tx.Keep(ctx, c)
}

// Drop removes a memory with what is about it and all that makes it findable: only a person asks for that. It leaves a tombstone like an
// event, so that no export brings it back.
func (tx *Tx) Drop(ctx context.Context, id memory.CrystalID) error {
	return cmp.Or(tx.Remove(ctx, id), tx.Tombstone(ctx, memory.EventID(id)))
}

// about are the kinds of memories that are about another one, whose ID is their subject; statements are those that Crystals chooses among.
// +: that is most of them.
var (
	about      = `kind IN (` + quoted(memory.AboutKinds) + `)`
	statements = `+kind NOT IN (` + quoted(memory.OtherKinds) + `)`
)

func quoted(kinds []memory.CrystalKind) string {
	return strings.TrimSuffix(join(kinds, `'`, `', `), `, `)
}

// Remove is Drop without the tombstone.
func (tx *Tx) Remove(ctx context.Context, id memory.CrystalID) error {
	var document, project int64
	err := tx.db.One(ctx, `DELETE FROM memory WHERE id = ? RETURNING COALESCE(document_id, 0), project_id`, []any{string(id)}, &document, &project)
	if err == nil {
		err = tx.db.Run(ctx, `DELETE FROM audit WHERE crystal_id = ?`, string(id))
	}
	if err == nil {
		err = tx.db.Run(ctx, `DELETE FROM memory WHERE subject = ? AND subject <> '' AND `+about, string(id))
	}
	if err == nil { // relations that end there
		err = tx.db.Run(ctx, `DELETE FROM memory WHERE project_id = ? AND kind = ? AND parents = ?`, project, string(memory.KindRelation), string(id)+" ")
	}
	if err == nil && document != 0 {
		err = tx.DeleteDocuments(ctx, document)
	}
	return db.Wrap(err, "delete %s", id)
}

// CrystalFilter chooses memories; zero fields do not filter.
type CrystalFilter struct {
	Prefix      string               // the beginning of the ID
	Projects    []memory.ProjectID   // 0 is the person's own
	Kinds       []memory.CrystalKind // none: statements of any kind
	Origin      memory.Origin
	Said        bool // to hebb: neither read from files of agents nor written by a model that read a session
	Own         bool // kept by hebb: not read from files of agents
	Lines       bool // of knowledge
	Subject     string
	Hash        int64
	Path        string // an anchor there
	Source      string // the beginning of where it comes from
	Session     memory.SessionID
	Lifecycle   memory.Lifecycle
	Living      bool // neither archived nor expired nor waiting
	Current     bool // not superseded
	Heard       bool // in a prompt
	Stated      bool // to be remembered
	Unsure      bool
	Proposed    bool // at some time, by an agent, to be changed or to take the place of another
	SaidBefore  time.Time
	SaidSince   time.Time
	UsedBefore  time.Time
	AsOf        time.Time    // held then, whatever became of it since
	Contains    string       // in its text, in any case
	Agent       memory.Agent // in a session of it
	Documents   []int64
	Bare        bool // without their anchors
	Brief       bool // with the first Beginning characters of their texts
	OldestFirst bool
	Offset      int // left out before the first; only with a limit
	Limit       int

	asked bool // the kinds are chosen elsewhere
}

func (f CrystalFilter) where() *db.Where {
	w := &db.Where{}
	if f.Prefix != "" {
		w.And(`id >= ? AND id < ?`, f.Prefix, f.Prefix+"~") // no character of an ID comes after it
	}
	if len(f.Projects) > 0 { // +: what else is asked for says more
		w.And(`+project_id IN `+db.Marks(len(f.Projects)), db.Values(f.Projects)...)
	}
	if len(f.Kinds) > 0 {
		column := `kind`
		if f.Heard {
			column = `kind || ''` // few are heard, and those have an index
		}
		w.And(column+` IN `+db.Marks(len(f.Kinds)), db.Values(f.Kinds)...)
	} else if !f.asked {
		w.And(statements)
	}
	w.When(f.Origin != "", `origin = ?`, string(f.Origin))
	w.When(f.Said, `origin <> ? AND more = ''`, string(memory.OriginFile))
	w.When(f.Own, `origin <> ?`, string(memory.OriginFile))
	w.When(f.Lines, `heard > 0 AND more <> ''`) // the first lets its index serve
	if f.Subject != "" {
		w.And(`subject = ? AND subject <> ''`, indexed(f.Subject)) // the second lets the index of those with a subject serve
	}
	w.When(f.Hash != 0, `hash = ?`, f.Hash)
	w.When(f.Path != "", `id IN (SELECT crystal_id FROM anchor WHERE path = ?)`, indexed(f.Path))
	w.When(f.Source != "", `source LIKE ? ESCAPE '\'`, likePattern.Replace(f.Source)+`%`)
	if f.Session != 0 {
		w.And(`session_id = ? AND session_id <> 0`, int64(f.Session)) // the second lets its index serve
	}
	w.When(f.Lifecycle != "", `lifecycle = ?`, string(f.Lifecycle))
	w.When(f.Living, `lifecycle NOT IN ('`+string(memory.Archived)+`', '`+string(memory.Expired)+`', '`+string(memory.Waiting)+`')`)
	w.When(f.Current, `valid_to IS NULL`)
	w.When(f.Heard, `heard > 0`)
	w.When(f.Stated, `heard = 0`)
	w.When(f.Unsure, `unsure = 1`)
	w.When(f.Proposed, `id IN (SELECT crystal_id FROM audit WHERE what = '`+Proposed+`')`)
	w.When(!f.SaidBefore.IsZero(), `said_at < ?`, db.Millis(f.SaidBefore))
	w.When(!f.SaidSince.IsZero(), `said_at >= ?`, db.Millis(f.SaidSince))
	w.When(!f.UsedBefore.IsZero(), `last_at < ?`, db.Millis(f.UsedBefore))
	if at := db.Millis(f.AsOf); !f.AsOf.IsZero() {
		w.And(`said_at <= ? AND (valid_to IS NULL OR valid_to > ?) AND (lifecycle NOT IN ('`+string(memory.Archived)+`', '`+string(memory.Expired)+`', '`+string(memory.Waiting)+`')
			OR EXISTS (SELECT 1 FROM audit WHERE crystal_id = memory.id AND audit.at > ? AND what IN ('expired', 'merged', 'put away')))`, at, at, at)
	}
	w.When(f.Contains != "", `LOWER(text) LIKE ? ESCAPE '\'`, `%`+likePattern.Replace(strings.ToLower(f.Contains))+`%`)
	w.When(f.Agent != "", `session_id IN (SELECT id FROM session WHERE agent = ?)`, string(f.Agent))
	return w
}

// CountCrystals counts those that a filter chooses.
func (tx *Tx) CountCrystals(ctx context.Context, f CrystalFilter) (int64, error) {
	w := f.where()
	n, err := db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM memory`+w.String(), w.Args...)
	return n, db.Wrap(err, "count crystals")
}

// latest reports whether the filter asks for the latest of some kinds in some projects, and has no condition with an index of its own.
func (f CrystalFilter) latest() bool {
	return len(f.Projects) > 0 && len(f.Kinds) > 0 && f.Limit > 0 && !f.OldestFirst && !f.Heard && !f.Unsure &&
		f.Prefix == "" && f.Subject == "" && f.Hash == 0 && f.Path == "" && f.Session == 0 && f.Offset == 0
}

// latestTables choose only the latest statements of each kind in each project, up to the limit: an index has them in order, so that
// neither other projects nor older statements are read.
func (f CrystalFilter) latestTables() (with, tables string, args []any) {
	var asked []string
	rest := f
	rest.Projects, rest.Kinds, rest.asked = nil, nil, true
	for _, project := range slices.Compact(slices.Sorted(slices.Values(f.Projects))) {
		for _, kind := range slices.Compact(slices.Sorted(slices.Values(f.Kinds))) {
			asked = append(asked, `(?, ?)`)
			args = append(args, int64(project), string(kind))
		}
	}
	w := rest.where()
	w.And(`project_id = of_project AND kind = of_kind`)
	tables = ` FROM asked CROSS JOIN memory ON id IN (SELECT id FROM memory` + w.String() + ` ORDER BY said_at DESC, id DESC LIMIT ?)` // SQLite keeps this order
	return `WITH asked (of_project, of_kind) AS (VALUES ` + strings.Join(asked, `, `) + `) `, tables, append(append(args, w.Args...), f.Limit)
}

// Crystals lists statements, the latest said first.
func (tx *Tx) Crystals(ctx context.Context, f CrystalFilter) ([]Kept, error) {
	return tx.Memories(ctx, f)
}

// Memories lists memories of the kinds that a filter names, the latest said first.
func (tx *Tx) Memories(ctx context.Context, f CrystalFilter) (found []Kept, err error) {
	w, with, tables := f.where(), "", ` FROM memory`
	if f.Documents != nil {
		w.And(`document_id IN %s`)
		err = db.EachOf(ctx, tx.db, `SELECT `+f.columns()+tables+w.String(), w.Args, f.Documents, db.Collect(&found, (*Kept).fields))
		f.sort(&found)
	} else {
		if f.latest() {
			w = &db.Where{}
			with, tables, w.Args = f.latestTables() // they pass the filter
		}
		order := ` ORDER BY said_at DESC, id DESC`
		if f.OldestFirst {
			order = ` ORDER BY said_at, id`
		}
		tail := w.String() + order + w.Limit(f.Limit)
		if f.Offset > 0 { // what is left out is counted without being read
			tail = ` WHERE id IN (SELECT id FROM memory` + tail + ` OFFSET ?)` + order
			w.Args = append(w.Args, f.Offset)
		}
		err = tx.db.Each(ctx, with+`SELECT `+f.columns()+tables+tail, w.Args, db.Collect(&found, (*Kept).fields))
	}
	if err == nil && !f.Bare {
		err = tx.LoadAnchors(ctx, found)
	}
	return found, db.Wrap(err, "crystals")
}

// crystals reads those that the end of a query chooses, with their anchors.
func (tx *Tx) crystals(ctx context.Context, tail string, args ...any) (found []Kept, err error) {
	err = tx.db.Each(ctx, `SELECT `+memoryColumns+` FROM memory`+tail, args, db.Collect(&found, (*Kept).fields))
	if err == nil {
		err = tx.LoadAnchors(ctx, found)
	}
	return found, err
}

// sort puts crystals that were read piece by piece into the order of the filter.
func (f CrystalFilter) sort(found *[]Kept) {
	memory.Sort(*found, func(a, b Kept) int {
		order := cmp.Or(a.SaidAt.Compare(b.SaidAt), strings.Compare(string(a.ID), string(b.ID)))
		if f.OldestFirst {
			return order
		}
		return -order
	})
	*found = slices.CompactFunc(*found, func(a, b Kept) bool { return a.ID == b.ID })
	if f.Limit > 0 {
		*found = (*found)[:min(f.Limit, len(*found))]
	}
}

// LoadAnchors reads the anchors of crystals that were read without them.
func (tx *Tx) LoadAnchors(ctx context.Context, crystals []Kept) error {
	at := make(map[memory.CrystalID]int, len(crystals))
	ids := make([]string, len(crystals))
	for i, c := range crystals {
		at[c.ID], ids[i] = i, string(c.ID)
	}
	var id memory.CrystalID
	return db.EachOf(ctx, tx.db, `SELECT crystal_id, path, symbol, commit_id, hash, at_hand FROM anchor WHERE crystal_id IN %s ORDER BY crystal_id, path, symbol`, nil, ids,
		db.ForEach(func(a *memory.Anchor) []any { return []any{&id, &a.Path, &a.Symbol, &a.Commit, &a.Hash, &a.AtHand} }, func(a memory.Anchor) error {
			c := &crystals[at[id]]
			c.Anchors = append(c.Anchors, a)
			return nil
		}))
}

// Crystal returns one crystal.
func (tx *Tx) Crystal(ctx context.Context, id memory.CrystalID) (Kept, error) {
	found, err := tx.crystals(ctx, ` WHERE id = ?`, string(id))
	crystal, err := db.First(found, err)
	return crystal, db.Wrap(err, "crystal %s", id)
}

// AnchoredPaths returns the files of a project that crystals speak of.
func (tx *Tx) AnchoredPaths(ctx context.Context, project memory.ProjectID) ([]string, error) {
	return db.All[string](ctx, tx.db, `SELECT DISTINCT path FROM anchor WHERE project_id = ? ORDER BY path`, []any{int64(project)}, db.Column)
}

// Rejected returns the IDs and texts of what the person has called wrong in some projects, and which does not hold.
func (tx *Tx) Rejected(ctx context.Context, projects []memory.ProjectID) ([]memory.Crystal, error) {
	found, err := db.All(ctx, tx.db, `SELECT DISTINCT memory.id, text FROM audit JOIN memory ON memory.id = crystal_id
		WHERE what = '`+CalledWrong+`' AND detail <> ? AND valid_to IS NOT NULL AND +project_id IN `+db.Marks(len(projects))+` ORDER BY memory.id DESC`,
		append([]any{string(memory.OriginAgent)}, db.Values(projects)...), func(c *memory.Crystal) []any { return []any{&c.ID, &c.Text} })
	return found, db.Wrap(err, "rejected crystals")
}

// Trace is one thing that happened to a crystal.
type Trace struct {
	Crystal memory.CrystalID `json:"crystal"`
	At      time.Time        `json:"at"`
	What    string           `json:"what"`
	Detail  string           `json:"detail,omitempty"`
}

// CalledWrong is what a trace says of a crystal that somebody has rejected; its detail is "agent" if that was an agent.
const CalledWrong = "called wrong"

// Proposed is what a trace says of a crystal that an agent proposes to change; its detail names the change.
const Proposed = "proposed"

// Leave writes traces. One without a time happened at the instant of the transaction.
func (tx *Tx) Leave(ctx context.Context, traces ...Trace) error {
	for _, t := range traces {
		if t.At.IsZero() {
			t.At = tx.Now
		}
		id, err := db.Value[int64](ctx, tx.db, `INSERT INTO audit (crystal_id, at, what, detail) VALUES (?, ?, ?, ?) RETURNING id`,
			string(t.Crystal), db.Millis(t.At), t.What, t.Detail)
		if err := tx.db.Rehashed(ctx, err, CheckedAudit, `id = ?`, id); err != nil {
			return fmt.Errorf("trace of crystal %s: %w", t.Crystal, err)
		}
	}
	return nil
}

// Traces returns what happened to a crystal, in order.
func (tx *Tx) Traces(ctx context.Context, id memory.CrystalID) ([]Trace, error) {
	return db.All(ctx, tx.db, `SELECT crystal_id, at, what, detail FROM audit WHERE crystal_id = ? ORDER BY id`,
		[]any{string(id)}, func(t *Trace) []any {
			return []any{&t.Crystal, db.Time(&t.At), &t.What, &t.Detail}
		})
}

// DropTraces removes the traces of a crystal with a detail.
func (tx *Tx) DropTraces(ctx context.Context, id memory.CrystalID, detail string) error {
	_, err := tx.db.Exec(ctx, `DELETE FROM audit WHERE crystal_id = ? AND detail = ?`, string(id), detail)
	return db.Wrap(err, "traces of crystal %s", id)
}

// Anchored is a document about a place in the code.
type Anchored struct {
	Document int64
	Path     string
}

// AboutFiles returns what is said of files of a project, the latest first, up to a number for each. What was said while a file was merely in
// use does not speak of it.
func (tx *Tx) AboutFiles(ctx context.Context, project memory.ProjectID, paths []string, each int) (found []Anchored, err error) {
	for _, path := range paths {
		err := tx.db.Each(ctx, `SELECT document_id FROM anchor JOIN memory ON id = crystal_id
			WHERE anchor.path = ? AND anchor.project_id = ? AND at_hand = 0 ORDER BY said_at DESC, id LIMIT ?`, []any{indexed(path), int64(project), each},
			db.ForEach(db.Column, func(id int64) error {
				found = append(found, Anchored{Document: id, Path: path})
				return nil
			}))
		if err != nil {
			return nil, fmt.Errorf("what is said of %q: %w", path, err)
		}
	}
	return found, nil
}

// CrystalsAbout returns the crystals that AboutFiles finds and a filter lets pass, in one statement.
func (tx *Tx) CrystalsAbout(ctx context.Context, project memory.ProjectID, paths []string, each int, f CrystalFilter) (found []Kept, err error) {
	w, about := f.where(), make([]string, len(paths))
	var args []any
	for i, path := range paths {
		about[i] = `SELECT document_id FROM (SELECT document_id FROM anchor JOIN memory ON id = crystal_id
			WHERE anchor.path = ? AND anchor.project_id = ? AND at_hand = 0 ORDER BY said_at DESC, id LIMIT ?) AS latest`
		args = append(args, indexed(path), int64(project), each)
	}
	w.And(`document_id IN (`+strings.Join(about, ` UNION ALL `)+`)`, args...)
	err = tx.db.Each(ctx, `SELECT `+memoryColumns+` FROM memory`+w.String(), w.Args, db.Collect(&found, (*Kept).fields))
	f.sort(&found)
	return found, db.Wrap(err, "what is said of %q", paths)
}

// CountVectors counts the vectors of a model.
func (tx *Tx) CountVectors(ctx context.Context, model string) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM vector WHERE space = ?`, model)
}

// AnyAnchored reports whether anything is said of a place in the code of a project.
func (tx *Tx) AnyAnchored(ctx context.Context, project memory.ProjectID) (bool, error) {
	return tx.db.Any(ctx, `anchor WHERE project_id = ?`, int64(project))
}

// CrystalsAfter returns crystals whose documents come after one, in their order.
func (tx *Tx) CrystalsAfter(ctx context.Context, document int64, limit int) ([]Kept, error) {
	return tx.crystals(ctx, ` WHERE document_id > ? ORDER BY document_id LIMIT ?`, document, limit)
}

// texts are the kinds that are counted as texts of a project.
var texts = `(` + statements + ` OR kind = '` + string(memory.KindEntity) + `')`

// DropTexts deletes what was said of a project and what makes its code findable: memories, sources and documents that are not of events,
// up to a number of each. It reports whether there are more.
func (tx *Tx) DropTexts(ctx context.Context, project memory.ProjectID, most int) (more bool, err error) {
	if n, err := tx.DropMemories(ctx, project, most, tx.Drop); err != nil || n > 0 {
		return true, err
	}
	sources, err := tx.db.Exec(ctx, `DELETE FROM source WHERE project_id = ? AND path IN (SELECT path FROM source WHERE project_id = ? LIMIT ?)`,
		int64(project), int64(project), most)
	if err != nil || sources > 0 {
		return true, err
	}
	ids, err := tx.db.Ids(ctx, `SELECT id FROM document WHERE project_id = ? AND event_seq IS NULL LIMIT ?`, []any{int64(project), most})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	return true, tx.DeleteDocuments(ctx, ids...)
}

// DropMemories deletes memories of a project, up to a number, by Drop or Remove, and returns how many.
func (tx *Tx) DropMemories(ctx context.Context, project memory.ProjectID, most int, drop func(context.Context, memory.CrystalID) error) (int, error) {
	ids, err := db.All[memory.CrystalID](ctx, tx.db, `SELECT id FROM memory WHERE project_id = ? LIMIT ?`, []any{int64(project), most}, db.Column)
	for _, id := range ids {
		if _, err := gone(drop(ctx, id)); err != nil { // it may have gone with another
			return 0, err
		}
	}
	return len(ids), err
}

// CountTexts counts the texts that DropTexts would delete.
func (tx *Tx) CountTexts(ctx context.Context, project memory.ProjectID) (int64, error) {
	return db.Value[int64](ctx, tx.db, `SELECT COUNT(*) FROM memory WHERE project_id = ? AND `+texts, int64(project))
}

// Spoken says, in a query of projects, that something was said of the project of that ID.
func Spoken(id string) string {
	return `EXISTS (SELECT 1 FROM memory WHERE project_id = ` + id + ` AND ` + texts + `)`
}
