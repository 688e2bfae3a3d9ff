package tuning

import "time"

// Hook bounds the program that agents call, and what it shows them.
type Hook struct {
	PromptWait time.Duration // an answer to a prompt that takes longer is not shown
	StartWait  time.Duration // the same for the start of a session and after a compaction
	ReadLimit  int64         // bytes of a payload that are looked at
	PeekLimit  int           // bytes of the spool read back for what a session did of late
	// TwinWindow is how long two calls that say the same are one.
	TwinWindow time.Duration
	// MemoryLimit is the size from which on a hook that answers collects garbage.
	MemoryLimit int64

	PromptLeast int           // characters of a prompt that are worth an answer
	ShowLeast   float64       // confidence from which a line is shown
	ShowLater   float64       // the same once the session has opened files
	ShowFiles   int           // files shown for one prompt
	ShowFixes   int           // fixes likewise
	ShowTokens  int           // that all lines together may cost
	ShowPath    int           // bytes of the longest path that is shown
	Refractory  time.Duration // a session is not shown the same file again within this

	PreloadFiles int     // files that may be marked as most likely
	PreloadSure  float64 // confidence that marks a file by itself
	PreloadRank  float64 // confidence that marks it if past commits agree
	PreloadNear  float64 // share of past commits that counts as agreement
	NearCommits  int     // past commits that are asked
	NearLeast    float64 // how like the prompt a commit must be to be asked

	StaleFiles int     // fading files named
	StaleLeast float64 // confidence from which a fading file has to do with the prompt

	Holdout      float64 // share of sessions that are shown nothing, for comparison
	HoldoutAfter int     // sessions of a project before the first of these
}

func (h *Hook) entries() []Entry {
	ratio := func(f *float64) number { return fraction{f} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	return []Entry{
		{
			Name: "hook.prompt_wait", Unit: "ms", Default: 500, Min: 20, Max: 4000, value: duration{&h.PromptWait, time.Millisecond},
			Meaning: "an answer to a prompt that takes longer is not shown; the prompt is kept all the same",
			Source:  "a pause that people hardly notice before a model's first word",
		},
		{
			Name: "hook.start_wait", Unit: "ms", Default: 2000, Min: 20, Max: 4000, value: duration{&h.StartWait, time.Millisecond},
			Meaning: "the same for the start of a session and after a compaction",
			Source:  "beside six busy processes on two cores 1 of 40 took longer; agents give a hook 5 s",
		},
		{
			Name: "hook.read_limit", Unit: "MB", Default: 16, Min: 1, Max: 256, value: scaled[int64]{&h.ReadLimit, megabyte},
			Meaning: "bytes of a payload that are looked at; the rest is read and thrown away",
			Source:  "payloads: an edit of a 3 MB file sends it whole",
		},
		{
			Name: "hook.peek_limit", Unit: "KB", Default: 256, Min: 0, Max: 65536, value: scaled[int]{&h.PeekLimit, kilobyte},
			Meaning: "newest part of the spool that a prompt is answered with, for what its session did since the last drain",
			Source:  "a long turn of tool calls",
		},
		{
			Name: "hook.twin_window", Unit: "ms", Default: 2000, Min: 100, Max: 60000, value: duration{&h.TwinWindow, time.Millisecond},
			Meaning: "calls this close together that say the same are one, where an agent runs another's hooks beside its own",
			Source:  "Cursor and VS Code run Claude Code's hooks too; a hook takes milliseconds, a busy machine a second",
		},
		{
			Name: "hook.memory_limit", Unit: "MB", Default: 256, Min: 16, Max: 65536,
			value:   scaled[int64]{&h.MemoryLimit, megabyte},
			Meaning: "a hook that answers a prompt collects its garbage only above this",
			Source:  "make bench-hook: a quarter of its time, for memory that is given back milliseconds later",
		},
		{
			Name: "hook.prompt_least", Unit: "characters", Default: 5, Min: 1, Max: 1000, value: count(&h.PromptLeast),
			Meaning: "a shorter prompt is no task: yes, ok, go", Source: "the prompts of real sessions",
		},
		{
			Name: "hook.show_least", Unit: "confidence", Default: 0.5, Min: 0.05, Max: 0.99, value: ratio(&h.ShowLeast),
			Meaning: "a file or a fix is shown from here on", Source: "a line is worth its tokens if it is right every other time",
		},
		{
			Name: "hook.show_later", Unit: "confidence", Default: 0.7, Min: 0.05, Max: 0.99, value: ratio(&h.ShowLater),
			Meaning: "a file is shown from here on once the session has opened files of its own",
			Source:  "recorded sessions: later prompts are shorter, and right half as often at the same confidence",
		},
		{
			Name: "hook.show_files", Unit: "files", Default: 5, Min: 0, Max: 50, value: count(&h.ShowFiles),
			Meaning: "files shown for one prompt", Source: "what an agent opens first",
		},
		{
			Name: "hook.show_fixes", Unit: "files", Default: 2, Min: 0, Max: 50, value: count(&h.ShowFixes),
			Meaning: "files that fixed the error in a prompt before", Source: "what an agent opens first",
		},
		{
			Name: "hook.show_tokens", Unit: "tokens", Default: 400, Min: 20, Max: 2300, value: count(&h.ShowTokens),
			Meaning: "tokens that all lines of an answer may cost together, four bytes each",
			Source:  "agents take 10,000 characters; a hint has to be cheaper than a search",
		},
		{
			Name: "hook.show_path", Unit: "bytes", Default: 240, Min: 20, Max: 4096, value: count(&h.ShowPath),
			Meaning: "a file with a longer path is not shown: a part of a path is another file",
			Source:  "longer than paths of real projects; leaves no room for an essay in a name",
		},
		{
			Name: "hook.refractory", Unit: "h", Default: 6, Min: 0, Max: 720, value: duration{&h.Refractory, time.Hour},
			Meaning: "a session is not shown the same file again within this", Source: "a suggestion repeated is noise",
		},
		{
			Name: "hook.preload_files", Unit: "files", Default: 2, Min: 0, Max: 50, value: count(&h.PreloadFiles),
			Meaning: "files marked as most likely at the first prompt of a session", Source: "more are no longer most likely",
		},
		{
			Name: "hook.preload_sure", Unit: "confidence", Default: 0.85, Min: 0, Max: 1, value: ratio(&h.PreloadSure),
			Meaning: "a file recalled with this confidence is marked", Source: clue,
		},
		{
			Name: "hook.preload_rank", Unit: "confidence", Default: 0.6, Min: 0, Max: 1, value: ratio(&h.PreloadRank),
			Meaning: "one recalled with this is marked if the nearest past commits agree", Source: clue,
		},
		{
			Name: "hook.preload_near", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&h.PreloadNear),
			Meaning: "share of the nearest past commits, by likeness, that changed it: they agree", Source: clue,
		},
		{
			Name: "hook.near_commits", Unit: "commits", Default: 5, Min: 1, Max: 1000, value: count(&h.NearCommits),
			Meaning: "past commits most like the prompt that are asked for that", Source: "an odd number of witnesses",
		},
		{
			Name: "hook.near_least", Unit: "likeness", Default: 0.2, Min: 0, Max: 1, value: ratio(&h.NearLeast),
			Meaning: "a commit less like the prompt than this is not asked", Source: "one common word of many is chance",
		},
		{
			Name: "hook.stale_files", Unit: "files", Default: 3, Min: 0, Max: 50, value: count(&h.StaleFiles),
			Meaning: "fading superhighways named at the first prompt of a session", Source: clue,
		},
		{
			Name: "hook.stale_least", Unit: "confidence", Default: 0.25, Min: 0, Max: 0.99, value: ratio(&h.StaleLeast),
			Meaning: "it is named only if recall finds it for the prompt with this confidence",
			Source:  "half of show_least: what has nothing to do with the task is noise",
		},
		{
			Name: "hook.holdout", Unit: "share", Default: 0.05, Min: 0, Max: 1, value: ratio(&h.Holdout),
			Meaning: "share of sessions that are shown nothing, so that hebb roi can compare; 0 shows all",
			Source:  "one in twenty",
		},
		{
			Name: "hook.holdout_after", Unit: "sessions", Default: 20, Min: 0, Max: 100000, value: count(&h.HoldoutAfter),
			Meaning: "the first sessions of a project are shown everything", Source: "a newcomer wants to see what it does",
		},
	}
}
