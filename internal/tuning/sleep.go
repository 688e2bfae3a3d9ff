package tuning

import "time"

// Sleep says what is forgotten, kept in balance and found while nobody works.
type Sleep struct {
	Every   time.Duration // between two sleeps nobody asked for
	Restore time.Duration // what was forgotten can be brought back for so long
	Budget  int64         // bytes of the store above which the oldest work is forgotten; 0: never
	LogAge  time.Duration // likewise

}

func (s *Sleep) entries() []Entry {
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	const (
		tiers  = "tiers of forgetting of the design"
		mining = "consolidation of the design"
	)
	return []Entry{
		{
			Name: "sleep.every", Unit: "min", Default: 15, Min: 1, Max: 10080, value: minutes(&s.Every),
			Meaning: "hebb sleeps by itself after work at most this often", Source: "a pause this long is the end of a piece of work",
		},
		{
			Name: "sleep.restore", Unit: "days", Default: 30, Min: 0, Max: 3650, value: days(&s.Restore),
			Meaning: "what was forgotten can be brought back for this long", Source: tiers,
		},
		{
			Name: "sleep.budget", Unit: "MB", Default: 2048, Min: 0, Max: 1 << 20, value: scaled[int64]{&s.Budget, megabyte},
			Meaning: "a store larger than this forgets its oldest work; notes and pins go last; 0 is no limit", Source: "about ten years of daily work",
		},
		{
			Name: "sleep.log_age", Unit: "days", Default: 30, Min: 1, Max: 3650, value: days(&s.LogAge),
			Meaning: "commands of tool calls older than this are dropped, beyond the latest accesses", Source: mining,
		},
	}
}
