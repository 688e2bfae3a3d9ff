package said

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/hebb-memory/hebb/cmd/hebb-bench/internal/evaluate"
	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/steward"
)

// ShownRow is what is shown at real prompts, and how much of it they need.
type ShownRow struct {
	Bench   string  `json:"bench"`
	Repo    string  `json:"repo"`
	Prompts int     `json:"prompts"`             // that were judged by reading
	Spoken  int     `json:"spoken"`              // of these, at which something is shown
	Lines   int     `json:"lines"`               // that are shown there
	Unread  int     `json:"unread"`              // of these, that nobody has judged
	P1      float64 `json:"p1" show:"%.3f"`      // share of the judged lines that help at least a little
	P2      float64 `json:"p2" show:"%.3f"`      // share of those without which an agent would go wrong
	R2      float64 `json:"r2" show:"%.3f"`      // share of all those that are shown
	All     float64 `json:"all" show:"%.3f"`     // share of all real prompts, judged or not, at which something is shown
	Foreign float64 `json:"foreign" show:"%.3f"` // share of the judged prompts at which something is shown if memory holds what was said in other repositories
	Kitchen float64 `json:"kitchen" show:"%.3f"` // likewise, if it holds facts of kitchens, gardens and journeys

	needs    int // of the judged, those without which an agent would go wrong
	eligible int // real prompts, judged or not
}

//go:embed made-up
var madeUp embed.FS

// stated is something that a person said.
type stated struct{ session, kind, text string }

// moment is a real prompt, and what was said in it.
type moment struct {
	id, session, person, repo, text string
	at                              time.Time
	said                            []stated
	need                            map[string]int // of earlier statements, as judged by reading; nil if nobody read the prompt
}

// Shown is the prompts of real sessions, in the order of time.
type Shown []*moment

// As the folder's README says.
const (
	leastWorth     = 2   // of a statement in labels.jsonl
	shortestPrompt = 15  // characters of a prompt that memory may be asked at
	longestPrompt  = 499 // likewise
	fewestEarlier  = 4   // statements that were made before it
)

// ReadShown reads shown/, said/ and sessions/ of a folder.
func ReadShown(folder string) (list Shown, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "sessions", "*.sessions.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	sessions := map[string]evaluate.AgentSession{}
	for _, file := range files {
		for s, err := range evaluate.ReadSessions(file) {
			if err != nil {
				return nil, err
			}
			sessions[strings.TrimSuffix(evaluate.RepoOf(file), ".sessions")+":"+s.ID] = s
		}
	}
	prompts, err := Read(os.DirFS(filepath.Join(folder, "said")), wide)
	if err != nil {
		return nil, err
	}
	byID := map[string]*moment{}
	for _, p := range prompts {
		repo, _, _ := strings.Cut(p.ID, ":")
		number, err := strconv.Atoi(p.ID[strings.LastIndexByte(p.ID, ':')+1:])
		s := sessions[p.session]
		if err != nil || number >= len(s.Prompts) {
			return nil, errors.Join(err, fmt.Errorf("sessions/ does not have the prompt %s", p.ID))
		}
		m := &moment{id: p.ID, session: p.session, person: repo + ":" + s.Actor, repo: repo, text: p.Text, at: s.Prompts[number].At}
		for _, q := range p.keep {
			if q.Worth >= leastWorth {
				m.said = append(m.said, stated{p.session, string(q.Kind), q.Quote})
			}
		}
		byID[p.ID] = m
		list = append(list, m)
	}
	slices.SortStableFunc(list, func(a, b *moment) int { return a.at.Compare(b.at) })
	return list, list.readNeeds(os.DirFS(filepath.Join(folder, "shown")), byID)
}

// readNeeds reads shown.jsonl.
func (list Shown) readNeeds(folder fs.FS, byID map[string]*moment) error {
	type judged struct {
		ID, Prompt, Memory string
		Need               int
	}
	rows, err := readLines(folder, "shown.jsonl", decode[judged])
	for _, r := range rows {
		m := byID[r.ID]
		if m == nil {
			return fmt.Errorf("shown.jsonl has the prompt %s, prompts.jsonl does not", r.ID)
		}
		if m.need == nil {
			m.need = map[string]int{}
		}
		m.text, m.need[r.Memory] = r.Prompt, r.Need
	}
	return err
}

// Judge gives each person a memory of what they said, as they say it, and asks it at their prompts;
// then likewise memories that have nothing to do with the prompts.
func (list Shown) Judge(ctx context.Context) (rows []ShownRow, err error) {
	sum := ShownRow{Repo: "all"}
	for _, repo := range list.distinct(func(m *moment) string { return m.repo }) {
		row := ShownRow{Bench: "shown", Repo: repo}
		if err := list.judge(ctx, &row); err != nil {
			return nil, fmt.Errorf("%s: %w", repo, err)
		}
		sum.add(row)
		rows = append(rows, row)
	}
	rows = append(rows, sum)
	for i := range rows {
		rows[i].divide()
	}
	return rows, nil
}

func (list Shown) distinct(key func(*moment) string) (keys []string) {
	for _, m := range list {
		if k := key(m); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (list Shown) judge(ctx context.Context, row *ShownRow) error {
	kitchen, err := readLines(madeUp, "made-up/kitchen.txt", func(line []byte) (stated, error) { return stated{kind: "fact", text: string(line)}, nil })
	if err != nil {
		return err
	}
	var foreign []stated
	own := slices.DeleteFunc(slices.Clone(list), func(m *moment) bool {
		if m.repo != row.Repo {
			foreign = append(foreign, m.said...)
		}
		return m.repo != row.Repo
	})
	for _, person := range own.distinct(func(m *moment) string { return m.person }) {
		if err := own.ofPerson(ctx, person, row); err != nil {
			return err
		}
	}
	return errors.Join(own.besides(ctx, foreign, &row.Foreign), own.besides(ctx, kitchen, &row.Kitchen))
}

// ofPerson follows a person through their sessions.
func (list Shown) ofPerson(ctx context.Context, person string, row *ShownRow) (err error) {
	list = slices.DeleteFunc(slices.Clone(list), func(m *moment) bool { return m.person != person })
	o, err := newOffice(ctx, row.Repo, list[0].at)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	var waiting []stated // what was said in the session that goes on
	kept, count := map[memory.CrystalID]string{}, 0
	for _, m := range list {
		o.later(max(0, m.at.Sub(o.now)))
		if len(waiting) > 0 && waiting[0].session != m.session {
			if err := o.keep(ctx, waiting, kept); err != nil {
				return err
			}
			count, waiting = count+len(waiting), nil
		}
		waiting = append(waiting, m.said...)
		if n := utf8.RuneCountInString(m.text); m.need == nil && (n < shortestPrompt || n > longestPrompt || count < fewestEarlier) {
			continue
		}
		shown, err := steward.Run(ctx, o.Brain, answer.Moment, o.event(memory.Prompted, m.id, m.text))
		if err != nil {
			return err
		}
		row.count(m, shown, kept)
	}
	return nil
}

// count adds what is shown at a prompt.
func (r *ShownRow) count(m *moment, shown answer.Shown, kept map[memory.CrystalID]string) {
	lines := 0
	for _, l := range shown.Lines {
		if l.Offer != memory.OfferMemory {
			continue
		}
		lines++
		need, read := m.need[kept[l.Crystal]]
		if !read {
			need = -1
		}
		if m.need != nil {
			r.Lines++
			r.Unread += truth(!read)
			r.P1, r.P2, r.R2 = r.P1+float64(truth(need >= 1)), r.P2+float64(truth(need == 2)), r.R2+float64(truth(need == 2))
		}
	}
	r.eligible++
	r.All += float64(truth(lines > 0))
	if m.need != nil {
		r.Prompts++
		r.Spoken += truth(lines > 0)
	}
	for _, need := range m.need {
		r.needs += truth(need == 2)
	}
}

func (r *ShownRow) add(o ShownRow) {
	r.Bench = o.Bench
	r.Prompts, r.Spoken, r.Lines, r.Unread = r.Prompts+o.Prompts, r.Spoken+o.Spoken, r.Lines+o.Lines, r.Unread+o.Unread
	r.P1, r.P2, r.R2, r.All = r.P1+o.P1, r.P2+o.P2, r.R2+o.R2, r.All+o.All
	r.Foreign, r.Kitchen, r.needs, r.eligible = r.Foreign+o.Foreign, r.Kitchen+o.Kitchen, r.needs+o.needs, r.eligible+o.eligible
}

// divide makes shares of the sums.
func (r *ShownRow) divide() {
	read := float64(max(1, r.Lines-r.Unread))
	r.P1, r.P2, r.R2, r.All = r.P1/read, r.P2/read, r.R2/float64(max(1, r.needs)), r.All/float64(max(1, r.eligible))
	r.Foreign, r.Kitchen = r.Foreign/float64(max(1, r.Prompts)), r.Kitchen/float64(max(1, r.Prompts))
}

// besides counts the judged prompts at which something is shown that has nothing to do with them.
func (list Shown) besides(ctx context.Context, said []stated, shown *float64) (err error) {
	o, err := newOffice(ctx, "elsewhere", time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	if err := o.keep(ctx, said, map[memory.CrystalID]string{}); err != nil {
		return err
	}
	o.later(21 * 24 * time.Hour)
	for _, m := range list {
		if m.need == nil {
			continue
		}
		at, err := steward.Run(ctx, o.Brain, answer.Moment, o.event(memory.Prompted, m.id, m.text))
		if err != nil {
			return err
		}
		*shown += float64(truth(memoryLines(at) > 0))
	}
	return nil
}
