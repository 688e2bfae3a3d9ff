package statements

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/project"
	"github.com/hebb-memory/hebb/internal/store"
)

// ScribeProjects are the projects in which sessions may be read; without any, they may be in all.
var ScribeProjects = store.NewFact[[]memory.ProjectID]("scribe/projects")

// ScribeConsent says whether sessions of a project may be read, and which file forbids it.
type ScribeConsent struct {
	Who       string `json:"who,omitempty"`       // as in llm.scribe; empty for nobody
	Elsewhere bool   `json:"elsewhere,omitempty"` // only in other projects
	Forbidden string `json:"forbidden_by,omitempty"`
	Unknown   string `json:"unknown_value,omitempty"` // what that file says of the scribe, if hebb does not know the value
}

// Given reports whether they may.
func (c ScribeConsent) Given() bool { return c.Who != "" && !c.Elsewhere && c.Forbidden == "" }

// Consent is what the person and the files say about the sessions of a project.
func Consent(ctx context.Context, tx *store.Tx, c config.Config, id memory.ProjectID) (ScribeConsent, error) {
	out := ScribeConsent{Who: c.LLM.Scribe}
	chosen, err := ScribeProjects.Get(ctx, tx)
	if err != nil {
		return out, err
	}
	out.Elsewhere = out.Who != "" && len(chosen) > 0 && !slices.Contains(chosen, id)
	p, err := tx.Project(ctx, id)
	if err = brain.IgnoreNotFound(err); err == nil {
		out.Forbidden, out.Unknown = c.ScribeForbidden(foldersOf(c, p))
	}
	return out, err
}

// foldersOf are the folders of this machine that belong to a project, also those that are gone.
func foldersOf(c config.Config, p memory.Project) (folders []string) {
	add := func(escaped string) {
		if root, err := memory.UnescapePath(escaped); err == nil && root != "" {
			folders = append(folders, filepath.FromSlash(root))
		}
	}
	if add(p.Root); p.Identity == "" {
		return nil
	}
	places, _ := c.Places() // what cannot be read is nowhere
	for _, known := range places {
		if folder, err := memory.UnescapePath(known.Identity); err == nil && known.Project == p.Identity {
			if at, err := project.Resolve(filepath.FromSlash(folder)); err == nil {
				add(at.Root)
			}
		}
	}
	return folders
}

// Sent is a session that was handed to an agent or a model, or was not; without a session, the material of a state. Once the session is
// forgotten only the time, the agent and the cost are left.
type Sent struct {
	Session memory.SessionID `json:"session,omitzero"`
	Project memory.ProjectID `json:"project,omitzero"`
	At      time.Time        `json:"at"`
	To      string           `json:"to,omitempty"`
	Input   int              `json:"input_tokens"` // about, where the agent does not say
	Output  int              `json:"output_tokens"`
	Unsent  string           `json:"not_sent,omitempty"` // why
}

// SentLedger is what was sent of all projects.
type SentLedger struct {
	Latest []Sent         `json:"latest"`
	Months map[string]int `json:"months"` // tokens
}

var sentFact = store.NewFact[SentLedger]("scribe/sent")

const (
	sentKept  = 200
	sentMonth = "2006-01"
)

// NoteSent keeps what was sent, or that it was not. Questions about the same session are added up.
func NoteSent(ctx context.Context, tx *store.Tx, one Sent) error {
	ledger, err := sentFact.Get(ctx, tx)
	if err != nil {
		return err
	}
	one.At = tx.Now
	if ledger.Months == nil {
		ledger.Months = map[string]int{}
	}
	ledger.Months[tx.Now.UTC().Format(sentMonth)] += one.Input + one.Output
	i := slices.IndexFunc(ledger.Latest, func(s Sent) bool { return one.Session != 0 && s.Session == one.Session && s.To == one.To })
	if i >= 0 {
		one.Input, one.Output = one.Input+ledger.Latest[i].Input, one.Output+ledger.Latest[i].Output
		ledger.Latest = slices.Delete(ledger.Latest, i, i+1)
	}
	ledger.Latest = append(ledger.Latest, one)
	ledger.Latest = ledger.Latest[max(0, len(ledger.Latest)-sentKept):]
	return sentFact.Set(ctx, tx, ledger)
}

// ScribeReport is what was sent of a project, and whether more will be.
type ScribeReport struct {
	ScribeConsent
	Sent        []Sent `json:"sent,omitempty"`   // the latest last, with those of any project that are forgotten
	MonthTokens int    `json:"month_tokens"`     // of all projects
	MonthMost   int    `json:"month_tokens_max"` // llm.month_tokens
}

// ReportScribe reads what was sent of a project.
func ReportScribe(ctx context.Context, tx *store.Tx, c config.Config, id memory.ProjectID) (out ScribeReport, err error) {
	ledger, err := sentFact.Get(ctx, tx)
	if err != nil {
		return out, err
	}
	out.MonthTokens, out.MonthMost = ledger.Months[tx.Now.UTC().Format(sentMonth)], c.Tuning.LLM.MonthTokens
	for _, s := range ledger.Latest {
		if s.Project == id || s.Project == 0 {
			out.Sent = append(out.Sent, s)
		}
	}
	out.ScribeConsent, err = Consent(ctx, tx, c, id)
	return out, err
}

// ForgetSent takes out of the ledger which sessions and projects it was, of those that are forgotten.
func ForgetSent(ctx context.Context, tx *store.Tx) error {
	ledger, err := sentFact.Get(ctx, tx)
	if err != nil || len(ledger.Latest) == 0 {
		return err
	}
	for i, s := range ledger.Latest {
		_, gone := tx.Project(ctx, s.Project)
		if s.Session != 0 {
			_, gone = tx.Session(ctx, s.Session)
		}
		switch {
		case brain.IsNotFound(gone):
			ledger.Latest[i] = Sent{At: s.At, To: s.To, Input: s.Input, Output: s.Output}
		case gone != nil:
			err = errors.Join(err, gone)
		}
	}
	ledger.Latest = slices.DeleteFunc(ledger.Latest, func(s Sent) bool { return s.To == "" && s.Unsent == "" })
	return errors.Join(err, sentFact.Set(ctx, tx, ledger))
}
