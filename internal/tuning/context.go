package tuning

// Context says how much a session is shown when it begins.
type Context struct {
	Budget          int // bytes in a large window
	Pins            int // bytes of pins
	RecentSessions  int // sessions on the recent shelf
	BriefingCommits int // latest commits that are looked through
}

func (c *Context) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	const slots = "budget of the start of a session"
	return []Entry{
		{
			Name: "context.budget", Unit: "bytes", Default: 8000, Min: 500, Max: 1000000, value: count(&c.Budget),
			Meaning: "of the start of a session in a window of 200 000 tokens and more; smaller windows get a share of it", Source: slots,
		},
		{
			Name: "context.pins", Unit: "bytes", Default: 1500, Min: 0, Max: 1000000, value: count(&c.Pins),
			Meaning: "of pins at the start of a session, in a budget of 8 000", Source: slots,
		},
		{
			Name: "context.recent_sessions", Unit: "sessions", Default: 5, Min: 1, Max: 1000, value: count(&c.RecentSessions),
			Meaning: "shown as recent; older ones go to the archive", Source: "shelves in the design",
		},
		{
			Name: "context.briefing_commits", Unit: "commits", Default: 200, Min: 0, Max: 100000, value: count(&c.BriefingCommits),
			Meaning: "latest commits examined at the start of a session for changes of its files; 0 asks git nothing", Source: "a week of a busy team",
		},
	}
}
