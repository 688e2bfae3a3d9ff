package tuning

import "time"

// Tuning holds the settings. The fields that settings does not list are constants that tests vary.
type Tuning struct {
	Session Session
	Capture Capture
	Hook    Hook
	Spool   Spool
	Store   Store
	Recall  Recall
	Sleep   Sleep
	Crystal Crystal
	Search  Search
	Context Context
	Dream   Dream
	LLM     LLM
	Goal    Goal
}

// settings is the table of all settings: name, unit, default, least, most, meaning and field. Nothing else states a default.
func (t *Tuning) settings() []Entry {
	h, s := &t.Hook, &t.Store
	return []Entry{
		{"capture.text_limit", "KB", 16, 1, 256, "longer prompts, errors and messages are cut in the middle", &t.Capture.TextLimit},
		{"context.briefing_commits", "commits", 200, 0, 100000, "newest commits that a session start searches for changes to the files in use; 0 does not ask git", &t.Context.BriefingCommits},
		{"context.budget", "bytes", 9500, 500, 1000000, "size of the session start in a window of at least 200,000 tokens; smaller windows get a share", &t.Context.Budget},
		{"context.pins", "bytes", 1500, 0, 1000000, "part of a budget of 8,000 that pins may use", &t.Context.Pins},
		{"context.recent_sessions", "sessions", 5, 1, 1000, "sessions shown as recent; older ones go to the archive", &t.Context.RecentSessions},
		{"dream.interval", "min", 120, 1, 100000, "time between automatic dreams; a quarter of it if much is new, twice if little is", &t.Dream.Interval},
		{"dream.min_crystals", "crystals", 5, 0, 1000, "memories needed before the first dream", &t.Dream.MinCrystals},
		{"hook.holdout", "share", 0.05, 0, 1, "share of prompts that are answered with nothing, drawn at random, so that hebb status --worth can compare; 0 answers all", &h.Holdout},
		{"hook.max_files", "files", 3, 0, 50, "most files shown for one prompt", &h.ShowFiles},
		{"hook.max_tokens", "tokens", 400, 20, 2300, "most tokens in one answer, at four bytes a token", &h.ShowTokens},
		{"hook.precision", "share", 0.67, 0.05, 0.99, "share of the files shown at prompts that should prove right; one is shown from three quarters of it on as its confidence, which is learned from what became of earlier prompts", &h.Precision},
		{"hook.prompt_wait", "ms", 500, 20, 4000, "an answer to a prompt that takes longer is not shown; the prompt is still recorded", &h.PromptWait},
		{"hook.repeat_after", "h", 6, 0, 720, "a session is shown the same file again only after this time", &h.Refractory},
		{"hook.start_wait", "ms", 2000, 20, 4000, "the same limit for a session start and after a compaction; agents give a hook 5 s", &h.StartWait},
		{"hook.tool_wait", "ms", 250, 20, 4000, "the same limit before a tool call, after one that failed and when a subagent begins", &h.ToolWait},
		{"llm.calls", "requests/h", 20, 0, 100000, "most requests to the language model, retries included; 0 never asks it", &t.LLM.Calls},
		{"llm.day_tokens", "tokens", 200_000, 0, 100_000_000, "most tokens a day that a coding agent is asked with as scribe, its own instructions included", &t.LLM.DayTokens},
		{"llm.max_tokens", "tokens", 8000, 100, 1000000, "longest answer of the language model", &t.LLM.MaxTokens},
		{"llm.month_tokens", "tokens", 3_000_000, 0, 100_000_000, "the same for a month", &t.LLM.MonthTokens},
		{"llm.timeout", "s", 180, 1, 3600, "longest wait for the language model", &t.LLM.Timeout},
		{"memory.fade_per_day", "per day", 0.0432, 0, 10, "rate at which the importance of an unused memory falls: half in 16 days of work", &t.Crystal.FadePerDay},
		{"memory.forget_below", "importance", 0.02, 0, 1, "less important memories expire and are found only with --history: after 51 days of work without use", &t.Crystal.ForgetBelow},
		{"recall.recent_confidence", "confidence", 0.4, 0, 1, "confidence from which files of recent sessions are shown", &t.Recall.EpisodicGate},
		{"recall.recent_within", "days", 7, 1, 365, "age up to which sessions are recalled one by one", &t.Recall.EpisodicWithin},
		{"search.weak_below", "share", 0.45, 0, 1, "results whose share of the best score plus share of the query's words is lower are hidden as weak; 0 hides none", &t.Search.StrongLeast},
		{"session.idle_after", "min", 15, 1, 1440, "a session without events for this long is closed; after twice that it is closed as recovered", &t.Session.IdleAfter},
		{"sleep.interval", "min", 15, 1, 10080, "least time until code and words are read again in the background; a sleep comes once a day of work", &t.Sleep.Every},
		{"sleep.pack_after", "days", 30, 1, 3650, "tool calls of sessions that ended longer ago are packed, except the latest", &t.Sleep.LogAge},
		{"sleep.restore_within", "days", 30, 0, 3650, "what was forgotten can be restored for so many days of work", &t.Sleep.Restore},
		{"spool.max_size", "MB", 64, 1, 4096, "a spool this large accepts no more observations until it is drained", &t.Spool.Limit},
		{"store.backup_size", "MB", 1024, 0, 1 << 20, "size of all automatic daily backups together; 0 makes none", &s.BackupBytes},
		{"store.backups_kept", "files", 10, 1, 1000, "backups kept of each kind (by hand, before a restore, before a migration)", &s.BackupsKept},
		{"store.busy_timeout", "ms", 2000, 100, 60000, "longest wait for another writer", &s.BusyTimeout},
		{"store.max_size", "MB", 2048, 0, 1 << 20, "a larger store forgets its oldest work; notes and pins go last; 0 is no limit", &t.Sleep.Budget},
	}
}

// Default returns the settings and constants that hebb ships with.
func Default() Tuning {
	t := Tuning{
		Capture: Capture{InputLimit: 4 * kilobyte, TouchLimit: 50}, // a wide search names hundreds of files
		Hook: Hook{
			ReadLimit: 16 * megabyte, // an edit of a 3 MB file sends it whole
			ShowFixes: 2, PreloadFiles: 2, PreloadSure: 0.85, HoldoutAfter: 20,
		},
		Recall: Recall{MinConfidence: 0.01, FixGate: 0.4},
		Dream:  Dream{PromptTokens: 12_000},
		Goal:   Goal{ShowFor: 72 * time.Hour},
		Spool:  Spool{SaidReserve: 8 * megabyte, WriterPatience: time.Second},
		Store: Store{
			BatchTime: 20 * time.Millisecond, BatchMax: 500, // one transaction of 458 ms starved other writers; make bench-drain
			PageCache: 2 * megabyte, // as SQLite has it; with 16 MB a sleep, which reads each page once, takes 1.1 times as long
		},
		Search:  Search{IndexNow: 1000, Candidates: defaultCandidates()}, // half a second
		Crystal: Crystal{Weights: defaultWeights()},
		LLM:     LLM{Asking: Asking{AnswerLimit: 4 * megabyte, Retries: 3, RetryWait: 2 * time.Second, RetryMost: time.Minute}},
	}
	for _, e := range t.settings() {
		e.set(e.Default)
	}
	return t
}

// Session says when a run of an agent ends.
type Session struct{ IdleAfter time.Duration }

// OrphanAfter is how long after its last event an open session is closed as recovered.
func (s Session) OrphanAfter() time.Duration { return 2 * s.IdleAfter }

// Capture bounds what is kept of one event.
type Capture struct {
	TextLimit  int // bytes of a prompt, an error, a message
	InputLimit int // bytes of a command or pattern
	TouchLimit int // files
}

// Hook bounds the program that agents call, and what it shows them.
type Hook struct {
	PromptWait, StartWait, ToolWait time.Duration

	ReadLimit int64 // bytes of a payload that are parsed; the rest is read and discarded

	Precision                        float64 // share of lines that should be right
	ShowFiles, ShowFixes, ShowTokens int
	Refractory                       time.Duration
	PreloadFiles                     int
	PreloadSure                      float64 // confidence

	Holdout      float64 // share of prompts
	HoldoutAfter int     // sessions
}

// Spool bounds the queue between hooks and store.
type Spool struct {
	Limit          int64         // bytes at which observations are dropped
	SaidReserve    int64         // bytes beyond the limit kept for what people and agents said
	WriterPatience time.Duration // how long a drain waits for a hook that is still writing
}

// Store holds the settings of the database.
type Store struct {
	BusyTimeout time.Duration
	BatchTime   time.Duration // aim for one write transaction of a long job
	BatchMax    int           // most events of one such transaction
	PageCache   int64         // bytes of pages that a reading connection keeps
	BackupsKept int
	BackupBytes int64
}

// Recall says how sure recall must be.
type Recall struct {
	MinConfidence         float64
	EpisodicWithin        time.Duration
	EpisodicGate, FixGate float64 // confidence
}

// Sleep says how often hebb sleeps and what is kept.
type Sleep struct {
	Every, Restore, LogAge time.Duration
	Budget                 int64 // bytes of the store
}

// Crystal says how long texts are kept.
type Crystal struct {
	FadePerDay, ForgetBelow float64
	Weights
}

// Search says how sure an answer must be and how long a search waits.
type Search struct {
	StrongLeast float64
	IndexNow    int // texts that are indexed while somebody waits
	Candidates
}

// Context says how much a session is shown when it begins.
type Context struct{ Budget, Pins, RecentSessions, BriefingCommits int }

// Dream says when the state is rewritten and how much a language model is asked for it.
type Dream struct {
	Interval                  time.Duration
	MinCrystals, PromptTokens int
}

// Goal says when thoughts about goals are shown.
type Goal struct{ ShowFor time.Duration }

// LLM says how the configured language model is asked.
type LLM struct {
	Calls       int // an hour
	MaxTokens   int // of an answer
	DayTokens   int // of a coding agent
	MonthTokens int
	Asking
}

// Asking says how a model server is asked. The constants follow what model servers do.
type Asking struct {
	AnswerLimit int64         // bytes of an answer
	Timeout     time.Duration // of one request
	Retries     int           // after "too busy"
	RetryWait   time.Duration // before the first retry; doubles
	RetryMost   time.Duration // before any retry
}
