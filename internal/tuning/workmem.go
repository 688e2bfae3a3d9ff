package tuning

import "time"

// Workmem says what is in mind when a session begins, and what is kept of one that ended.
type Workmem struct {
	HeatPerSession float64 // what a closed session leaves of the heat of a file
	HeatMost       float64 // more is not kept
	EditHeat       float64
	MentionHeat    float64
	ReadHeat       float64
	Hot            float64 // above this a file is hot
	Warm           float64 // from this on it is warm
	LiveFiles      int     // files of a project in the live view
	LiveClusters   int     // pairs of files
	ClusterMet     int     // sessions in which two files must have met to be shown as a pair
	LiveTokens     int     // of one project in the live view

	Recent        int // sessions on the recent shelf
	SummaryLength int // characters of a line of the summary
	HappenedMost  int // characters of a summary made by rules
	ListMost      int // files, commits or errors it names

	Budget        int     // bytes of a start context in a large window
	BudgetLarge   int     // in a window of 128 000 tokens
	BudgetMiddle  int     // of 64 000
	BudgetSmall   int     // below
	FullTimes     float64 // what each mode makes of it
	ContinueTimes float64
	MicroTimes    float64
	SlotPins      int // bytes of each slot
	SlotGoals     int
	SlotFiles     int
	FileDetails   int // bytes of it for files with what is said of them; the rest only names
	FilesNamed    int // files looked at for that
	SlotActive    int
	SlotPointers  int
	SlotNotes     int
	SlotRecent    int
	SlotBriefing  int
	SlotPages     int
	SoonAfter     time.Duration // a session that begins this soon after the last goes on with it
	LongAfter     time.Duration // one that is resumed after this long starts warm

	StaleNote        time.Duration // a page untouched for this long is mentioned
	StaleReview      time.Duration // and is to be reviewed
	UrgencyHours     float64       // hours that count one point
	UrgencyDue       int
	UrgencyNow       int
	LinePoints       float64 // points that fifty lines of notes count
	LinesFull        int     // lines of notes at which pressure is full
	PressureGentle   float64 // pressure from which on a dream is suggested in passing
	PressureSessions int     // without a dream that lift it
	DensePrompts     int     // since a dream that do

	BriefingCommits int           // latest commits that are looked through
	BriefingTime    time.Duration // that this may take
	Grace           time.Duration // a view that was replaced is watched this long for late writes
}

func (w *Workmem) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	const seed = "working memory as it was designed"
	const shelf = "shelves as they were designed"
	const slots = "budget of the start of a session"
	return []Entry{
		{
			Name: "workmem.heat_per_session", Unit: "share", Default: 0.8, Min: 0.01, Max: 1, value: ratio(&w.HeatPerSession),
			Meaning: "what one closed session leaves of the heat of its project's files", Source: seed,
		},
		{
			Name: "workmem.heat_most", Unit: "heat", Default: 1000, Min: 10, Max: 1e9, value: ratio(&w.HeatMost),
			Meaning: "no file is hotter", Source: "no session touches a file so often",
		},
		{
			Name: "workmem.edit_heat", Unit: "heat", Default: 1, Min: 0, Max: 100, value: ratio(&w.EditHeat),
			Meaning: "that changing a file gives it", Source: seed,
		},
		{
			Name: "workmem.mention_heat", Unit: "heat", Default: 0.5, Min: 0, Max: 100, value: ratio(&w.MentionHeat),
			Meaning: "that naming a file gives it, once a session, unless it was opened", Source: seed,
		},
		{
			Name: "workmem.read_heat", Unit: "heat", Default: 0.3, Min: 0, Max: 100, value: ratio(&w.ReadHeat),
			Meaning: "that reading a file gives it", Source: seed,
		},
		{
			Name: "workmem.hot", Unit: "heat", Default: 2, Min: 0, Max: 1000, value: ratio(&w.Hot),
			Meaning: "above this a file is hot: its note is shown", Source: seed,
		},
		{
			Name: "workmem.warm", Unit: "heat", Default: 1, Min: 0, Max: 1000, value: ratio(&w.Warm),
			Meaning: "from this on a file is warm: it is shown with its summary; below it is cold", Source: seed,
		},
		{
			Name: "workmem.live_files", Unit: "files", Default: 15, Min: 1, Max: 1000, value: count(&w.LiveFiles),
			Meaning: "of one project in live.md", Source: seed,
		},
		{
			Name: "workmem.live_clusters", Unit: "pairs", Default: 3, Min: 0, Max: 100, value: count(&w.LiveClusters),
			Meaning: "of files that go together, of one project in live.md", Source: seed,
		},
		{
			Name: "workmem.cluster_met", Unit: "sessions", Default: 3, Min: 1, Max: 1000, value: count(&w.ClusterMet),
			Meaning: "in which two files must have met to be shown as a pair", Source: seed,
		},
		{
			Name: "workmem.live_tokens", Unit: "tokens", Default: 400, Min: 50, Max: 100000, value: count(&w.LiveTokens),
			Meaning: "of one project in live.md at most", Source: "200 to 400 were the aim; the cap on files alone does not keep to it",
		},
		{
			Name: "workmem.recent", Unit: "sessions", Default: 5, Min: 1, Max: 1000, value: count(&w.Recent),
			Meaning: "on the recent shelf; older ones go to the archive", Source: shelf,
		},
		{
			Name: "workmem.summary_length", Unit: "characters", Default: 120, Min: 20, Max: 1000, value: count(&w.SummaryLength),
			Meaning: "of a session's line in SUMMARY.md", Source: shelf,
		},
		{
			Name: "workmem.happened_most", Unit: "characters", Default: 1200, Min: 200, Max: 20000, value: count(&w.HappenedMost),
			Meaning: "of what rules say about a session", Source: "two short paragraphs",
		},
		{
			Name: "workmem.list_most", Unit: "items", Default: 8, Min: 1, Max: 100, value: count(&w.ListMost),
			Meaning: "files, commits or mended errors that such a summary names", Source: "eight files were kept of a session",
		},
		{
			Name: "workmem.budget", Unit: "bytes", Default: 8000, Min: 500, Max: 1000000, value: count(&w.Budget),
			Meaning: "of the start of a session, in a window of 200 000 tokens and more or of unknown size", Source: slots,
		},
		{
			Name: "workmem.budget_large", Unit: "bytes", Default: 6000, Min: 500, Max: 1000000, value: count(&w.BudgetLarge),
			Meaning: "in a window of 128 000 tokens and more", Source: slots,
		},
		{
			Name: "workmem.budget_middle", Unit: "bytes", Default: 4000, Min: 500, Max: 1000000, value: count(&w.BudgetMiddle),
			Meaning: "in a window of 64 000 tokens and more", Source: slots,
		},
		{
			Name: "workmem.budget_small", Unit: "bytes", Default: 3200, Min: 500, Max: 1000000, value: count(&w.BudgetSmall),
			Meaning: "in a smaller window", Source: slots,
		},
		{
			Name: "workmem.full_times", Unit: "factor", Default: 6, Min: 1, Max: 100, value: ratio(&w.FullTimes),
			Meaning: "times the budget in mode full", Source: slots,
		},
		{
			Name: "workmem.continue_times", Unit: "factor", Default: 0.15, Min: 0.01, Max: 1, value: ratio(&w.ContinueTimes),
			Meaning: "times the budget in mode continue", Source: slots,
		},
		{
			Name: "workmem.micro_times", Unit: "factor", Default: 0.03, Min: 0.01, Max: 1, value: ratio(&w.MicroTimes),
			Meaning: "times the budget in mode micro", Source: slots,
		},
		{
			Name: "workmem.slot_pins", Unit: "bytes", Default: 1500, Min: 0, Max: 1000000, value: count(&w.SlotPins),
			Meaning: "of pins at most, in a budget of 8 000", Source: slots,
		},
		{
			Name: "workmem.slot_goals", Unit: "bytes", Default: 600, Min: 0, Max: 1000000, value: count(&w.SlotGoals),
			Meaning: "of goals and the line on urgency", Source: slots,
		},
		{
			Name: "workmem.slot_files", Unit: "bytes", Default: 1600, Min: 0, Max: 1000000, value: count(&w.SlotFiles),
			Meaning: "of files in mind", Source: slots,
		},
		{
			Name: "workmem.file_details", Unit: "bytes", Default: 600, Min: 0, Max: 1000000, value: count(&w.FileDetails),
			Meaning: "of these for files with heat, summary and note; the rest names files", Source: "hebb bench context: names find more than details do",
		},
		{
			Name: "workmem.files_named", Unit: "files", Default: 80, Min: 0, Max: 10000, value: count(&w.FilesNamed),
			Meaning: "most touched and latest files each that may be named", Source: "more do not fit",
		},
		{
			Name: "workmem.slot_active", Unit: "bytes", Default: 2000, Min: 0, Max: 1000000, value: count(&w.SlotActive),
			Meaning: "of what is going on", Source: slots,
		},
		{
			Name: "workmem.slot_pointers", Unit: "bytes", Default: 1000, Min: 0, Max: 1000000, value: count(&w.SlotPointers),
			Meaning: "of pointers to what is deeper", Source: slots,
		},
		{
			Name: "workmem.slot_notes", Unit: "bytes", Default: 800, Min: 0, Max: 1000000, value: count(&w.SlotNotes),
			Meaning: "of the newest notes", Source: slots,
		},
		{
			Name: "workmem.slot_recent", Unit: "bytes", Default: 500, Min: 0, Max: 1000000, value: count(&w.SlotRecent),
			Meaning: "of recent sessions", Source: slots,
		},
		{
			Name: "workmem.slot_briefing", Unit: "bytes", Default: 600, Min: 0, Max: 1000000, value: count(&w.SlotBriefing),
			Meaning: "of what changed in files while nobody was here", Source: "a line for each of a few files",
		},
		{
			Name: "workmem.slot_pages", Unit: "bytes", Default: 1000, Min: 0, Max: 1000000, value: count(&w.SlotPages),
			Meaning: "of the pages that people write about themselves and their work", Source: "a few lines each",
		},
		{
			Name: "workmem.soon_after", Unit: "min", Default: 10, Min: 0, Max: 100000, value: duration{&w.SoonAfter, time.Minute},
			Meaning: "a session that starts this soon after the last goes on with it: mode continue", Source: "a pause, not a new day",
		},
		{
			Name: "workmem.long_after", Unit: "min", Default: 240, Min: 0, Max: 1000000, value: duration{&w.LongAfter, time.Minute},
			Meaning: "a session that is resumed after this long starts warm", Source: "half a working day",
		},
		{
			Name: "workmem.stale_note", Unit: "h", Default: 72, Min: 1, Max: 100000, value: duration{&w.StaleNote, time.Hour},
			Meaning: "a page nobody has touched for this long is mentioned", Source: shelf,
		},
		{
			Name: "workmem.stale_review", Unit: "h", Default: 168, Min: 1, Max: 100000, value: duration{&w.StaleReview, time.Hour},
			Meaning: "and for this long is to be reviewed", Source: shelf,
		},
		{
			Name: "workmem.urgency_hours", Unit: "hours", Default: 12, Min: 1, Max: 100000, value: ratio(&w.UrgencyHours),
			Meaning: "since the last dream that count one point of urgency", Source: shelf,
		},
		{
			Name: "workmem.urgency_due", Unit: "points", Default: 5, Min: 1, Max: 1000, value: count(&w.UrgencyDue),
			Meaning: "at which a dream is due", Source: shelf,
		},
		{
			Name: "workmem.urgency_now", Unit: "points", Default: 10, Min: 1, Max: 1000, value: count(&w.UrgencyNow),
			Meaning: "at which it is urgent", Source: shelf,
		},
		{
			Name: "workmem.line_points", Unit: "points", Default: 5, Min: 0, Max: 100, value: ratio(&w.LinePoints),
			Meaning: "that as many lines of notes as fill the scratch count", Source: "one score for both",
		},
		{
			Name: "workmem.pressure_gentle", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&w.PressureGentle),
			Meaning: "of the full pressure to dream from which on a dream is suggested in passing", Source: "pressure as it was designed",
		},
		{
			Name: "workmem.lines_full", Unit: "lines", Default: 50, Min: 1, Max: 100000, value: count(&w.LinesFull),
			Meaning: "of notes at which the pressure to dream is full", Source: "pressure as it was designed",
		},
		{
			Name: "workmem.pressure_sessions", Unit: "sessions", Default: 3, Min: 1, Max: 1000, value: count(&w.PressureSessions),
			Meaning: "without a dream that lift the pressure of waiting notes by a level", Source: "pressure as it was designed",
		},
		{
			Name: "workmem.dense_prompts", Unit: "prompts", Default: 20, Min: 1, Max: 100000, value: count(&w.DensePrompts),
			Meaning: "of people since a dream that make a conversation dense, which lifts it likewise", Source: "one session in eighteen of the public session traces has as many",
		},
		{
			Name: "workmem.briefing_commits", Unit: "commits", Default: 200, Min: 0, Max: 100000, value: count(&w.BriefingCommits),
			Meaning: "latest ones that are looked through for files in mind", Source: "a week of a busy team",
		},
		{
			Name: "workmem.briefing_time", Unit: "ms", Default: 60, Min: 1, Max: 60000, value: duration{&w.BriefingTime, time.Millisecond},
			Meaning: "that looking may take at the start of a session", Source: "the agent waits for it",
		},
		{
			Name: "workmem.grace", Unit: "s", Default: 120, Min: 0, Max: 100000, value: duration{&w.Grace, time.Second},
			Meaning: "a replaced view is watched for late writes of an editor that had it open", Source: "an editor writes within seconds of opening",
		},
	}
}
