package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/steward"
)

// large is a memory of about 17,000 neurons and 75,000 synapses, or a multiple of that: some years
// of a project of that many files, and some weeks of agents at work in it. Everything in it is
// drawn from one seed.
type large struct {
	scale  int
	place  memory.Place
	random *rand.Rand
	now    time.Time
	files  []string
	count  int
}

const (
	largeFolders   = 850
	largePerFolder = 20 // files
	largeSessions  = 125
	largeOpened    = 40 // files by each of them: with a window of 25 that is 675 links
	largeBatch     = 500
)

// largeWords are what paths and commits of such a project are made of.
var largeWords = strings.Fields(`account admin agent api archive audit auth backup billing block branch buffer build cache catalog
	channel client cluster codec command commit config conn context cookie crypto cursor daemon database decode deploy device
	diff digest dispatch domain editor encode engine error event export fetch field filter format gateway graph group handler
	hash header history hook http image import index input invoice job journal json kernel key language ledger lexer limit
	link list loader lock login mail merge message metric migrate model module monitor network node notify object order output
	page parser patch payment plugin policy pool profile proxy queue quota random range rate record redirect refund registry
	render replica report request retry role route rule runner schedule schema scope search secret server session shard
	signal snapshot socket source spool stream string sync table target task team template tenant test text theme thread
	token trace transfer tree trigger update upload user vault vector version view watch web widget window worker`)

// failing is the command that the error was met with, and that passed once it was fixed.
const failing = "go test ./..."

// fault is an error that the memory knows the fix of, with the place where it happens, without which so general an error proves nothing.
func (l *large) fault() string {
	return "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 7 [running]:\nmain.total(...)\n\t" +
		l.files[0] + ":12 +0x1d\nexit status 2"
}

// build fills the memory that c describes with the past of a project.
func (l *large) build(ctx context.Context, c config.Config) (err error) {
	b, err := steward.Open(ctx, c, func() time.Time { return l.now })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, events := range [][]memory.Event{l.commits(), l.sessions(), l.fix()} {
		if err := l.record(ctx, b, events); err != nil {
			return err
		}
	}
	_, err = steward.Run(ctx, b, ranking.Learn, ranking.Input{Project: l.place.Project()})
	return err
}

func newLarge(place memory.Place, now time.Time, scale int) *large {
	return &large{
		scale: scale, place: place, random: rand.New(rand.NewPCG(17, 75)), now: now.UTC().Truncate(time.Millisecond),
	}
}

func (l *large) record(ctx context.Context, b *brain.Brain, events []memory.Event) error {
	for batch := range slices.Chunk(events, largeBatch) {
		if _, err := steward.Run(ctx, b, steward.Observe, batch); err != nil {
			return err
		}
	}
	return nil
}

// task is a prompt that names a file in words that much else shares, and an error that was fixed
// before.
func (l *large) task() string {
	return fmt.Sprintf("The cache returns an old token after a retry: find out why in %s and mend it, "+
		"then add a test for the lexer. It ends with\n%s", l.files[len(l.files)/2], l.fault())
}

func (l *large) word() string { return largeWords[l.random.IntN(len(largeWords))] }

func (l *large) event(kind memory.EventKind, at time.Time, session, text string, touches ...memory.Touch) memory.Event {
	l.count++
	e := memory.Event{
		ID: memory.DerivedEventID("large", fmt.Sprint(l.count)), At: at, Kind: kind, Origin: memory.OriginUser,
		Agent: "claude-code", AgentSession: session, Place: l.place, Text: text, Touches: touches,
	}
	if kind == memory.Committed {
		e.Agent, e.Origin, e.Input = memory.AgentGit, memory.OriginRepo, string(e.ID)
	}
	return e
}

// commits make each folder in one go and then change three files of it at a time, an hour apart, up
// to two days ago.
func (l *large) commits() (events []memory.Event) {
	folders := make([]string, l.scale*largeFolders)
	var subjects []string
	var changes [][]string
	for i := range folders {
		a, b := l.word(), l.word()
		folders[i] = fmt.Sprintf("%s/%s%d", a, b, i)
		var made []string
		for range largePerFolder {
			made = append(made, fmt.Sprintf("%s/%s_%s%d.go", folders[i], l.word(), l.word(), len(l.files)+len(made)))
		}
		l.files = append(l.files, made...)
		subjects, changes = append(subjects, fmt.Sprintf("%s: begin the %s", a, b)), append(changes, made)
	}
	for range l.changes() * len(folders) {
		n := l.random.IntN(len(folders))
		of := l.files[n*largePerFolder : (n+1)*largePerFolder]
		first := l.random.IntN(largePerFolder - 2)
		subjects = append(subjects, fmt.Sprintf("%s: %s the %s of the %s", folders[n], l.word(), l.word(), l.word()))
		changes = append(changes, of[first:first+3])
	}
	begin := l.now.Add(-time.Duration(l.scale)*48*time.Hour - time.Duration(len(changes))*time.Hour)
	for i, files := range changes {
		var touches []memory.Touch
		for _, f := range files {
			touches = append(touches, memory.Touch{Kind: memory.Edit, Path: f})
		}
		events = append(events, l.event(memory.Committed, begin.Add(time.Duration(i)*time.Hour), "", subjects[i], touches...))
	}
	return events
}

// changes is how often a folder is changed: larger projects have a longer history, so that six
// times the files come with 82,000 commits.
func (l *large) changes() int { return min(3+3*l.scale, 15) }

// fix is a session in which a command fails, a file is changed and the command passes: that file is known to fix the error.
func (l *large) fix() []memory.Event {
	at := l.now.Add(-time.Hour)
	ran := func(kind memory.EventKind, at time.Time, text string) memory.Event {
		e := l.event(kind, at, "large-fix", text)
		e.Origin, e.Tool, e.Input = memory.OriginTool, "Bash", failing
		return e
	}
	return []memory.Event{
		ran(memory.ToolFailed, at, l.fault()),
		l.event(memory.ToolUsed, at.Add(time.Second), "large-fix", "", memory.Touch{Kind: memory.Edit, Path: l.files[0]}),
		ran(memory.ToolUsed, at.Add(2*time.Second), ""),
	}
}

// sessions open files of a few folders each, spread over the last two days.
func (l *large) sessions() (events []memory.Event) {
	begin := l.now.Add(-time.Duration(l.scale) * 47 * time.Hour)
	apart := l.now.Add(-time.Hour).Sub(begin) / time.Duration(l.scale*largeSessions)
	for s := range l.scale * largeSessions {
		at := begin.Add(time.Duration(s) * apart)
		name := fmt.Sprintf("large-%d", s)
		events = append(events, l.event(memory.Prompted, at, name, fmt.Sprintf("mend the %s of the %s", l.word(), l.word())))
		first := l.random.IntN(len(l.files) - largeOpened)
		for i := range largeOpened {
			at = at.Add(time.Second)
			events = append(events, l.event(memory.ToolUsed, at, name, "", memory.Touch{Kind: memory.Read, Path: l.files[first+i]}))
		}
		events = append(events, l.event(memory.SessionEnded, at, name, ""))
	}
	return events
}
