package evaluate

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// textMemory is one text of a set.
type textMemory struct {
	NS      string          `json:"ns"`
	ID      string          `json:"id"`
	Session string          `json:"session"`
	Time    json.RawMessage `json:"time"`
	Speaker string          `json:"speaker"`
	Text    string          `json:"text"`
	Path    string          `json:"path"`
	at      time.Time
}

// said is the text as a transcript has it: with the name of who speaks, where it is one.
func (m textMemory) said() string {
	if m.Speaker == "" || m.Speaker == "user" || m.Speaker == "assistant" {
		return m.Text
	}
	return m.Speaker + ": " + m.Text
}

// textQuery is one question of a set.
type textQuery struct {
	NS    string          `json:"ns"`
	QID   string          `json:"qid"`
	Query string          `json:"query"`
	Time  json.RawMessage `json:"time"`
	Gold  []string        `json:"gold"`
	at    time.Time
}

type textSet struct {
	name     string
	dir      string
	memories []textMemory
	queries  []textQuery // those that have an answer
}

// decodeTextMemory reads a line of memories.jsonl.
func decodeTextMemory(line []byte) (m textMemory, err error) {
	if err = json.Unmarshal(line, &m); err == nil {
		m.at, err = readTime(m.Time)
	}
	return m, err
}

func readTextSet(name, dir string, every int) (*textSet, error) {
	s := &textSet{name: name, dir: dir}
	var err error
	if s.memories, err = collect(readLines(setFile(dir, "memories"), decodeTextMemory)); err != nil {
		return nil, err
	}
	all, err := collect(readLines(setFile(dir, "queries"), func(line []byte) (q textQuery, err error) {
		if err = json.Unmarshal(line, &q); err == nil {
			q.at, err = readTime(q.Time)
		}
		return q, err
	}))
	if err != nil {
		return nil, err
	}
	asked := 0
	for _, q := range all {
		if len(q.Gold) == 0 {
			continue
		}
		if asked%max(every, 1) == 0 {
			s.queries = append(s.queries, q)
		}
		asked++
	}
	return s, nil
}

// setFile is a half of a set, packed or plain.
func setFile(dir, half string) string {
	plain := filepath.Join(dir, half+".jsonl")
	if _, err := os.Stat(plain); err == nil {
		return plain
	}
	return filepath.Join(dir, half+".jsonl.gz")
}

// readTime reads the ways in which the sets write times. None is no time.
func readTime(raw json.RawMessage) (time.Time, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return time.Time{}, nil
	}
	if seconds, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return time.Unix(seconds, 0).UTC(), nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{"3:04 pm on 2 January, 2006", "January-02-2006", "2006/01/02 (Mon) 15:04", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q: not understood", text)
}

// sessions are the texts as they were said, one list for each session, in the order of the file.
func (s *textSet) sessions() (groups [][]textMemory) {
	at := map[string]int{}
	for _, m := range s.memories {
		key := m.NS + "\x00" + m.Session
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], m)
	}
	return groups
}

// fts5Window is the floor that sees a turn with the one before and the one behind it.
const fts5Window = "fts5 window"

// floor is full text search as SQLite offers it: porter stemming, any of the words that are no stop
// words, one index for each namespace.
type floor struct {
	name string
	db   *sql.DB
	ids  map[string][]string // by namespace; a row's number is the place
}

// newFloor indexes what people say.
func newFloor(ctx context.Context, name string, memories []textMemory) (*floor, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	f := &floor{name: name, db: db, ids: map[string][]string{}}
	kept := slices.DeleteFunc(slices.Clone(memories), func(m textMemory) bool { return m.Speaker == "assistant" })
	together := func(i, j int) bool {
		return name == fts5Window && i >= 0 && j < len(kept) && kept[i].NS == kept[j].NS && kept[i].Session == kept[j].Session
	}
	for i, m := range kept {
		text := m.said()
		if together(i-1, i) {
			text = kept[i-1].said() + "\n" + text
		}
		if together(i, i+1) {
			text += "\n" + kept[i+1].said()
		}
		if err := f.add(ctx, m.NS, m.ID, text); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return f, nil
}

func (f *floor) table(ns string) string {
	return `"t ` + strings.ReplaceAll(ns, `"`, `""`) + `"`
}

func (f *floor) add(ctx context.Context, ns, id, text string) error {
	if _, known := f.ids[ns]; !known {
		create := `CREATE VIRTUAL TABLE ` + f.table(ns) + ` USING fts5 (text, tokenize = 'porter unicode61')`
		if _, err := f.db.ExecContext(ctx, create); err != nil {
			return err
		}
	}
	f.ids[ns] = append(f.ids[ns], id)
	_, err := f.db.ExecContext(ctx, `INSERT INTO `+f.table(ns)+` (rowid, text) VALUES (?, ?)`, len(f.ids[ns]), text)
	return err
}

func (f *floor) ask(ctx context.Context, q textQuery) (ids []string, err error) {
	words := strings.FieldsFunc(strings.ToLower(q.Query), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
	terms := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return floorStops[w] })
	if len(terms) == 0 {
		terms = words
	}
	if _, known := f.ids[q.NS]; !known || len(terms) == 0 {
		return nil, nil
	}
	for i, t := range terms {
		terms[i] = `"` + t + `"`
	}
	query := `SELECT rowid FROM ` + f.table(q.NS) + ` WHERE text MATCH ? ORDER BY rank, rowid LIMIT ?`
	rows, err := f.db.QueryContext(ctx, query, strings.Join(terms, " OR "), askedFor)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		ids = append(ids, f.ids[q.NS][n-1])
	}
	return ids, rows.Err()
}

// Close releases it.
func (f *floor) Close() error { return f.db.Close() }

var floorStops = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`a an the and or but if of to in on at for with by from as is are was were be been being do does did
		have has had having i you he she it we they me him her us them my your his its our their this that these those what which who
		whom whose when where why how will would can could should shall may might must not no so than then there here about into over
		after before between during through again further once just also very too more most some any all both each few other such own
		same s t don now`) {
		set[w] = true
	}
	return set
}()
