package tuning

import (
	"slices"
	"time"
)

const (
	kilobyte = 1 << 10
	megabyte = 1 << 20
)

// entries binds each number to its field. This list is the table: nothing else states a default.
func (t *Tuning) entries() []Entry {
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	seconds := func(f *time.Duration) number { return duration{f, time.Second} }
	millis := func(f *time.Duration) number { return duration{f, time.Millisecond} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	p := &t.Plasticity
	kilobytes := func(f *int) number { return scaled[int]{f, kilobyte} }
	megabytes := func(f *int64) number { return scaled[int64]{f, megabyte} }

	return slices.Concat(t.Hook.entries(), t.Recall.entries(), t.Sleep.entries(), t.Crystal.entries(), t.Embedding.entries(), t.Search.entries(), t.Training.entries(), t.Workmem.entries(), t.Mood.entries(), t.Dream.entries(), t.LLM.entries(), t.Goal.entries(), []Entry{
		{
			Name: "session.idle_after", Unit: "min", Default: 15, Min: 1, Max: 1440, value: minutes(&t.Session.IdleAfter),
			Meaning: "a session without an event for this long is closed", Source: "a pause this long is the end of a piece of work",
		},
		{
			Name: "session.orphan_after", Unit: "min", Default: 30, Min: 1, Max: 2880, value: minutes(&t.Session.OrphanAfter),
			Meaning: "an open session found this long after its last event is closed and marked recovered", Source: "twice the idle time",
		},
		{
			Name: "session.intent_length", Unit: "characters", Default: 200, Min: 20, Max: 2000, value: count(&t.Session.IntentLength),
			Meaning: "how much of the first prompt is kept as the session's intent", Source: "two lines on a terminal",
		},
		{
			Name: "session.repeat_within", Unit: "s", Default: 5, Min: 0, Max: 60, value: seconds(&t.Session.RepeatWithin),
			Meaning: "an event without an ID of its own (the end of a turn, a helper's start) that says the same again within this arrived twice",
			Source:  "agents that run each other's hooks beside their own",
		},
		{
			Name: "capture.text_limit", Unit: "KB", Default: 16, Min: 1, Max: 256, value: kilobytes(&t.Capture.TextLimit),
			Meaning: "of a prompt, an error or a message more than this is cut in the middle", Source: "payloads: 3 MB seen in one edit",
		},
		{
			Name: "capture.input_limit", Unit: "KB", Default: 4, Min: 1, Max: 64, value: kilobytes(&t.Capture.InputLimit),
			Meaning: "of a command or search pattern more than this is cut in the middle", Source: "payloads",
		},
		{
			Name: "capture.touch_limit", Unit: "files", Default: 50, Min: 1, Max: 1000, value: count(&t.Capture.TouchLimit),
			Meaning: "files of one event beyond this are not recorded", Source: "a wide search names hundreds",
		},
		{
			Name: "spool.limit", Unit: "MB", Default: 64, Min: 1, Max: 4096, value: megabytes(&t.Spool.Limit),
			Meaning: "a spool this large takes no more observations until it is drained", Source: "a full disk must not cost what people said",
		},
		{
			Name: "spool.said_reserve", Unit: "MB", Default: 8, Min: 0, Max: 1024, value: megabytes(&t.Spool.SaidReserve),
			Meaning: "room beyond the limit for what people and agents said", Source: "a full disk must not cost what people said",
		},
		{
			Name: "spool.writer_patience", Unit: "ms", Default: 1000, Min: 1, Max: 60000, value: millis(&t.Spool.WriterPatience),
			Meaning: "a drain waits this long for a hook in the middle of a write, then leaves that part for later", Source: "a write takes microseconds",
		},
		{
			Name: "store.busy_timeout", Unit: "ms", Default: 2000, Min: 100, Max: 60000, value: millis(&t.Store.BusyTimeout),
			Meaning: "how long a command waits for another writer", Source: "longer than any transaction of ours",
		},
		{
			Name: "store.batch_time", Unit: "ms", Default: 20, Min: 1, Max: 1000, value: millis(&t.Store.BatchTime),
			Meaning: "long jobs split their writes into transactions of about this length", Source: "measured: one transaction of 458 ms starved other writers",
		},
		{
			Name: "store.batch_max", Unit: "events", Default: 500, Min: 1, Max: 100000, value: count(&t.Store.BatchMax),
			Meaning: "events in one such transaction at most", Source: "make bench-drain",
		},
		{
			Name: "store.checkpoint_size", Unit: "pages", Default: 1000, Min: 10, Max: 100000, value: count(&t.Store.CheckpointSize),
			Meaning: "write-ahead log length that starts a checkpoint", Source: "SQLite default",
		},
		{
			Name: "store.journal_limit", Unit: "MB", Default: 16, Min: 1, Max: 1024, value: megabytes(&t.Store.JournalLimit),
			Meaning: "size the write-ahead log is cut back to", Source: "four checkpoints long",
		},
		{
			Name: "store.page_cache", Unit: "MB", Default: 2, Min: 1, Max: 1024, value: megabytes(&t.Store.PageCache),
			Meaning: "pages that a reading connection of a command keeps", Source: "as SQLite has it; measured: with 16 MB a sleep, which reads each page once, takes 1.1 times as long",
		},
		{
			Name: "store.server_cache", Unit: "MB", Default: 16, Min: 1, Max: 1024, value: megabytes(&t.Store.ServerCache),
			Meaning: "the same where one process answers many questions (`hebb mcp`)", Source: "measured: with 2 MB a question to 10 000 texts takes 1.25 times as long",
		},
		{
			Name: "store.server_sketches", Unit: "MB", Default: 16, Min: 0, Max: 1024, value: megabytes(&t.Store.ServerSketches),
			Meaning: "what ranking needs of texts (their words), kept by a process that answers many questions", Source: "about 50 000 short texts",
		},
		{
			Name: "store.backups_kept", Unit: "files", Default: 10, Min: 1, Max: 1000, value: count(&t.Store.BackupsKept),
			Meaning: "whole backups of each kind (by hand, before a restore, before a migration) in the data folder; the oldest go first", Source: "ten kept states, as for the state document",
		},
		{
			Name: "store.backup_bytes", Unit: "MB", Default: 1024, Min: 0, Max: 1048576, value: megabytes(&t.Store.BackupBytes),
			Meaning: "size of all automatic daily backups together; 0 makes none", Source: "a year of work is about 100 MB: eleven copies of it fit",
		},
		{
			Name: "plasticity.learning_rate", Unit: "factor", Default: 0.1, Min: 0, Max: 1,
			value:   ratio(&p.LearningRate),
			Meaning: "what one co-access adds to a fresh link, before SNAP slows it",
			Source:  "one co-access gives 0.1, ten give 0.57",
		},
		{
			Name: "plasticity.error_boost", Unit: "factor", Default: 2, Min: 1, Max: 10, value: ratio(&p.ErrorBoost),
			Meaning: "times the learning rate if one end of a link is an error",
			Source:  "errors are rare and say more than reads",
		},
		{
			Name: "plasticity.hub_degree", Unit: "links", Default: 20, Min: 1, Max: 100000, value: count(&p.HubDegree),
			Meaning: "a neuron with more links than this is a hub",
			Source:  "a file opened beside everything says little about any of it",
		},
		{
			Name: "plasticity.hub_factor", Unit: "factor", Default: 0.5, Min: 0, Max: 1, value: ratio(&p.HubFactor),
			Meaning: "times the learning rate if one end of a link is a hub",
			Source:  "slows the growth of hubs without stopping it",
		},
		{
			Name: "plasticity.snap_steepness", Unit: "factor", Default: 8, Min: 0, Max: 50,
			value:   ratio(&p.SnapSteepness),
			Meaning: "how sharply a link stops learning around the midpoint",
			Source:  "a weight of 0.1 learns with 96 %, one of 0.8 with 8 %",
		},
		{
			Name: "plasticity.snap_midpoint", Unit: "weight", Default: 0.5, Min: 0, Max: 1,
			value:   ratio(&p.SnapMidpoint),
			Meaning: "weight at which a link learns with half its rate",
			Source:  "the middle of the range",
		},
		{
			Name: "plasticity.capture_weight", Unit: "weight", Default: 0.3, Min: 0, Max: 1,
			value:   ratio(&p.CaptureWeight),
			Meaning: "a new link met again within capture_window, in another event, is lifted to this; 0 lifts none",
			Source:  "what a link needs to be followed",
		},
		{
			Name: "plasticity.capture_window", Unit: "min", Default: 60, Min: 0, Max: 10080,
			value:   minutes(&p.CaptureWindow),
			Meaning: "how long a new link waits for the second meeting",
			Source:  "one piece of work",
		},
		{
			Name: "plasticity.session_free", Unit: "weight", Default: 0.3, Min: 0, Max: 1, value: ratio(&p.SessionFree),
			Meaning: "growth up to this weight counts towards no cap",
			Source:  "capture_weight: a first session may make a link that is followed",
		},
		{
			Name: "plasticity.session_cap", Unit: "weight", Default: 0.2, Min: 0, Max: 1, value: ratio(&p.SessionCap),
			Meaning: "one session moves a link by at most this beyond session_free",
			Source:  "a flooded session must not decide what is remembered",
		},
		{
			Name: "plasticity.day_cap", Unit: "weight", Default: 0.4, Min: 0, Max: 1, value: ratio(&p.DayCap),
			Meaning: "one day (UTC) moves a link by at most this beyond session_free, over all its sessions",
			Source:  "two full sessions: opening more of them must not get around session_cap",
		},
		{
			Name: "plasticity.window", Unit: "ids", Default: 25, Min: 2, Max: 500, value: count(&p.Window),
			Meaning: "the last files and errors of a session that a touched one is linked to",
			Source:  "more than one task has open, and links grow with its square",
		},
		{
			Name: "plasticity.myelin_rate", Unit: "myelin", Default: 0.02, Min: 0, Max: 0.5,
			value:   ratio(&p.MyelinRate),
			Meaning: "what the second access of a neuron adds to its myelin; later ones add less",
			Source:  "0.09 after ten accesses, 0.31 after a hundred",
		},
		{
			Name: "plasticity.myelin_max", Unit: "myelin", Default: 0.95, Min: 0.5, Max: 0.95,
			value:   ratio(&p.MyelinMax),
			Meaning: "the most myelin a neuron can have",
			Source:  "nothing is ever certain",
		},
		{
			Name: "plasticity.myelin_floor", Unit: "share", Default: 0.1, Min: 0, Max: 1, value: ratio(&p.MyelinFloor),
			Meaning: "share of myelin_rate that an access adds however many there were",
			Source:  "reached at a hundred accesses",
		},
		{
			Name: "plasticity.weight_per_day", Unit: "per day", Default: 0.98, Min: 0.5, Max: 0.9999,
			value:   ratio(&p.WeightPerDay),
			Meaning: "what a day leaves of a weight",
			Source:  "half-life 34 days",
		},
		{
			Name: "plasticity.myelin_per_day", Unit: "per day", Default: 0.995, Min: 0.5, Max: 0.9999,
			value:   ratio(&p.MyelinPerDay),
			Meaning: "what a day leaves of myelin",
			Source:  "half-life 138 days",
		},
		{
			Name: "plasticity.activation_per_day", Unit: "per day", Default: 0.85, Min: 0.1, Max: 0.9999,
			value:   ratio(&p.ActivationPerDay),
			Meaning: "what a day leaves of activation",
			Source:  "half-life 4 days",
		},
		{
			Name: "plasticity.ignore_base", Unit: "share", Default: 0.1, Min: 0, Max: 0.9, value: ratio(&p.IgnoreBase),
			Meaning: "share of its weight a link loses at the first ignored suggestion; the next in a row takes more",
			Source:  "0.6 becomes 0.54, then 0.44, then 0.32",
		},
		{
			Name: "plasticity.ignore_floor", Unit: "weight", Default: 0.1, Min: 0.01, Max: 0.5,
			value:   ratio(&p.IgnoreFloor),
			Meaning: "being ignored takes no link below this",
			Source:  "what was learned can be found again",
		},
		{
			Name: "plasticity.resolve_weight", Unit: "share", Default: 0.85, Min: 0, Max: 1,
			value:   ratio(&p.ResolveWeight),
			Meaning: "share of the way to 1 that a link goes from an error to the file that fixed it",
			Source:  "a fix is known to belong to its error",
		},
		{
			Name: "plasticity.mend_files", Unit: "files", Default: 3, Min: 0, Max: 100, value: count(&p.MendFiles),
			Meaning: "a command that failed and then passed was fixed by the files changed in between, unless these are more",
			Source:  "of many changes no one can be told to be the fix",
		},
		{
			Name: "plasticity.git_seed_base", Unit: "weight", Default: 0.05, Min: 0, Max: 0.1,
			value:   ratio(&p.GitSeedBase),
			Meaning: "weight a pair of files gets from history, however rare",
			Source:  "just enough not to be pruned",
		},
		{
			Name: "plasticity.git_seed_span", Unit: "weight", Default: 0.9, Min: 0, Max: 0.9,
			value:   ratio(&p.GitSeedSpan),
			Meaning: "what the pair that changed together most often gets beyond git_seed_base",
			Source:  "history alone never makes a link certain",
		},
		{
			Name: "plasticity.fan_cap", Unit: "links", Default: 50, Min: 1, Max: 100000, value: count(&p.FanCap),
			Meaning: "links of a neuron beyond this thin out its activation no further",
			Source:  "a neuron keeps about as many links",
		},
	})
}
