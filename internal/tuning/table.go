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
	kilobytes := func(f *int) number { return scaled[int]{f, kilobyte} }
	megabytes := func(f *int64) number { return scaled[int64]{f, megabyte} }

	return slices.Concat(t.Hook.entries(), t.Recall.entries(), t.Sleep.entries(), t.Crystal.entries(), t.Embedding.entries(), t.Search.entries(), t.Context.entries(), t.Dream.entries(), t.LLM.entries(), t.Goal.entries(), []Entry{
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
	})
}
