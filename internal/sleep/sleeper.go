package sleep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/plasticity"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/tuning"
)

// errDryRun rolls back a transaction that only counts.
var errDryRun = errors.New("dry run")

// SleepInput says how to sleep.
type SleepInput struct {
	// Why is shown in the timeline; empty is SleptAsked.
	Why  string    `json:"why,omitempty"`
	Only SleepPart `json:"only,omitempty" flag:"only" about:"one part alone"`
	Dry  bool      `json:"dry,omitempty" flag:"dry-run" about:"only show what would change"`
	// Again goes through work that sleeps before have gone through, for measuring.
	Again bool `json:"-"`
	// Gently leaves the store to others now and then: nobody waits for it.
	Gently bool `json:"gently,omitempty"`
	// Progress receives what is being done, and how far it is: 0 to 1.
	Progress func(doing string, share float64) `json:"-"`
}

// Facts that sleeps leave to each other.
var (
	SleptAt  = store.NewFact[int64]("sleep/at")  // when the last sleep began, unix milliseconds
	SleptSeq = store.NewFact[int64]("sleep/seq") // event up to which sleeps have learned
)

// Sleeper is one sleep. Everything it changes, it changes in small transactions, each of which finds what it needs anew:
// others write in between, and it may be killed anywhere.
type Sleeper struct {
	*brain.Brain
	in     SleepInput
	Tuning tuning.Sleep
	turn   *brain.Lease
	Now    time.Time
	Report *SleepReport
	again  bool // it is repeated: what it packed stays as it is
	worked map[memory.ProjectID]memory.WorkDays
	// generations are those of the projects' pasts when it was logged: one that is rebuilt has another, and repeats this sleep itself.
	generations map[memory.ProjectID]string
}

// Rules are those of a project, with the days on which it was worked on until this sleep began.
func (s *Sleeper) Rules(ctx context.Context, tx *store.Tx, project memory.ProjectID) (rules plasticity.Rules, err error) {
	if rules, err = s.Brain.Rules(ctx, tx, project); err == nil {
		rules.Worked, err = s.workDays(ctx, tx, project)
	}
	return rules, err
}

func (s *Sleeper) workDays(ctx context.Context, tx *store.Tx, project memory.ProjectID) (days memory.WorkDays, err error) {
	if days, known := s.worked[project]; known {
		return days, nil
	}
	if days, err = tx.WorkDays(ctx, project); err == nil {
		if s.worked == nil {
			s.worked = map[memory.ProjectID]memory.WorkDays{}
		}
		s.worked[project] = days
	}
	return days, err
}

// each runs a part of the sleep for one project after the other.
func (s *Sleeper) each(ctx context.Context, what string, projects []store.Graph, run func(context.Context, store.Graph) error) error {
	done := 0
	return brain.EachAlone(ctx, projects, func(g store.Graph) error {
		s.in.Progress(what, float64(done)/float64(len(projects)))
		done++
		if err := run(ctx, g); err != nil && !errors.Is(err, errRebuilt) {
			return fmt.Errorf("project %s: %w", g.Project, err)
		}
		return nil
	})
}

// errNotAlone ends a sleep whose lease another has taken because it was too slow.
var errNotAlone = fmt.Errorf("another process sleeps: %w", memory.ErrConflict)

// errRebuilt ends the work on a project that is rebuilt.
var errRebuilt = errors.New("the project is rebuilt")

// begin takes the lease and records that a sleep begins.
func (s *Sleeper) begin(ctx context.Context) error {
	if s.in.Dry {
		return nil
	}
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		held, err := s.turn.Take(ctx, tx)
		s.Report.Busy = err == nil && !held
		if err != nil || !held {
			return err
		}
		if err := errors.Join(s.Retune(ctx, tx), SleptAt.Set(ctx, tx, tx.Now.UnixMilli())); err != nil {
			return err
		}
		s.Report.ID, err = tx.BeginSleep(ctx, s.in.Why)
		return err
	})
	if err == nil && !s.Report.Busy {
		s.turn.Sign()
	}
	return err
}

// end records what the sleep did and gives the lease back.
func (s *Sleeper) end(ctx context.Context) error {
	if s.in.Dry {
		return nil
	}
	var text []byte
	if s.Report.Changed() || s.in.Why == SleptAsked {
		var err error
		kept := *s.Report
		kept.Decay.Examples = nil // what is forgotten on purpose later must not live on in a report
		if text, err = json.Marshal(kept); err != nil {
			return err
		}
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.EndSleep(ctx, s.Report.ID, string(text), SleepsKept), s.turn.End(ctx, tx))
	})
}

// write runs one small transaction with the rules of a project (0: work needs none), as long as no other process sleeps. A dry sleep
// counts by doing, and rolls back.
func (s *Sleeper) write(ctx context.Context, project memory.ProjectID, work func(*store.Tx, plasticity.Rules) error) error {
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		if !s.in.Dry && !s.again { // nobody else has a store that learns again
			held, err := s.turn.Take(ctx, tx)
			if err == nil && !held {
				err = errNotAlone
			}
			if began, logged := s.generations[project]; logged && err == nil {
				var now string
				if now, err = record.GenerationMark(project).Get(ctx, tx); err == nil && now != began {
					err = errRebuilt
				}
			}
			if err != nil {
				return err
			}
		}
		rules, err := s.Rules(ctx, tx, project)
		if err == nil {
			err = work(tx, rules)
		}
		if err == nil && s.in.Dry {
			return errDryRun
		}
		return err
	})
	return exceptDryRun(err)
}

// exceptDryRun is an error, unless it only rolled back a transaction that counts.
func exceptDryRun(err error) error {
	if errors.Is(err, errDryRun) {
		return nil
	}
	return err
}

// read runs work on one consistent state, with the rules of a project.
func (s *Sleeper) read(ctx context.Context, project memory.ProjectID, work func(*store.Tx, plasticity.Rules) error) error {
	return s.Store.View(ctx, func(tx *store.Tx) error {
		rules, err := s.Rules(ctx, tx, project)
		if err != nil {
			return err
		}
		return work(tx, rules)
	})
}

// piece is how many items the first write transaction of a job takes, when it is not known yet how long an item takes.
func (s *Sleeper) piece() int { return max(s.Numbers.Chunk/4, 1) }

// repeat runs work in write transactions until no rows are left. Work changes a limited number of rows and returns how many;
// repeat returns their sum.
func (s *Sleeper) repeat(ctx context.Context, work func(tx *store.Tx, most int) (int64, error)) (all int64, err error) {
	for {
		var n int64
		err := s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) (err error) {
			n, err = work(tx, s.piece())
			return err
		})
		if all += n; err != nil || n < int64(s.piece()) {
			return all, err
		}
	}
}

// chunked hands a list of a project over in pieces, one write transaction each, none of which takes long. work returns what it counted: it may
// run more than once.
func chunked[T any](
	ctx context.Context, s *Sleeper, project memory.ProjectID, doing string, list []T,
	work func(context.Context, *store.Tx, plasticity.Rules, []T) ([]int64, error), counts ...*int64,
) error {
	piece := brain.BatchSize{Size: s.piece(), Most: s.Numbers.Chunk, Aim: s.Config.Tuning.Store.BatchTime}
	for done := 0; done < len(list); {
		s.in.Progress(doing, float64(done)/float64(len(list)))
		next := list[done:min(done+piece.Size, len(list))]
		var counted []int64
		began := s.Brain.Now()
		err := s.write(ctx, project, func(tx *store.Tx, rules plasticity.Rules) (err error) {
			counted, err = work(ctx, tx, rules, next)
			return err
		})
		if err != nil {
			return err
		}
		for i, n := range counted {
			*counts[i] += n
		}
		done += len(next)
		took := s.Brain.Now().Sub(began)
		piece.Took(len(next), took)
		if err := s.pause(ctx, took); err != nil {
			return err
		}
	}
	return nil
}

// pause leaves the store to other writers for a moment, if nobody waits for the sleep: they only poll.
func (s *Sleeper) pause(ctx context.Context, moment time.Duration) error {
	if !s.in.Gently {
		return ctx.Err()
	}
	return store.Wait(ctx, moment)
}

// log notes over which projects it sleeps: what their events taught depends on it.
func (s *Sleeper) log(ctx context.Context, projects []store.Graph) error {
	if s.in.Dry || s.in.Only == CrystalPart || s.in.Only == ThinkPart {
		return nil
	}
	return s.write(ctx, 0, func(tx *store.Tx, _ plasticity.Rules) error {
		marks, err := record.Anew.ByProject(ctx, tx)
		s.generations = map[memory.ProjectID]string{}
		for _, p := range projects {
			generation, failed := record.GenerationMark(p.Project).Get(ctx, tx)
			if _, marked := marks[p.Project]; marked {
				generation = "to be rebuilt"
			}
			s.generations[p.Project], err = generation, errors.Join(err, failed)
			err = errors.Join(err, record.Log(ctx, tx, memory.StoredEvent{Project: p.Project, Event: memory.Event{
				Kind: memory.Slept, At: s.Now, Input: string(s.in.Only), Text: strconv.FormatInt(s.Report.ID, 10),
			}}))
		}
		return err
	})
}

// look says what this sleep looks at, project by project. One that nobody asked for looks where something happened since the last.
func (s *Sleeper) look(ctx context.Context) (graphs []store.Graph, err error) {
	err = s.Store.View(ctx, func(tx *store.Tx) error {
		projects, err := tx.Projects(ctx)
		if err != nil {
			return err
		}
		if s.in.Gently {
			seen, err := SleptSeq.Get(ctx, tx)
			if err != nil {
				return err
			}
			worked, _, err := tx.NewEvidence(ctx, seen)
			if err != nil {
				return err
			}
			projects = slices.DeleteFunc(projects, func(p memory.Project) bool { return !slices.Contains(worked, p.ID) })
		}
		for _, p := range projects {
			g, err := tx.GraphOf(ctx, p.ID)
			if err != nil {
				return err
			}
			graphs = append(graphs, g)
			s.Report.Links += g.Links
			s.Report.Neurons += g.Neurons
		}
		return nil
	})
	return graphs, err
}

const (
	LeaseTime  = 60 * time.Second // a sleeper that does not renew its lease for this long is taken for dead (longer than any of its transactions)
	SleepsKept = 500              // sleeps that the timeline shows (some weeks of daily work)
	SleptAsked = "asked"          // why a sleep began: somebody asked for it
	sleepLease = "sleep"
)
