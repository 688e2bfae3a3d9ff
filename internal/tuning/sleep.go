package tuning

import "time"

// Sleep says what is forgotten, kept in balance and found while nobody works.
type Sleep struct {
	Every      time.Duration // between two sleeps nobody asked for
	Whole      int           // links, or neurons, up to which a graph is slept over whole
	Slice      int           // links, and neurons, looked at in one of those
	Chunk      int           // rows changed in one write transaction
	Lease      time.Duration // a sleeper that says nothing for so long is gone
	LogKept    int           // sleeps that are remembered
	Restore    time.Duration // what was forgotten can be brought back for so long
	Budget     int64         // bytes of the store above which the oldest work is forgotten; 0: never
	BudgetLeft float64       // share of the budget that is left full after it was exceeded
	LogRows    int           // accesses of a project that are looked at, and whose commands are kept
	LogAge     time.Duration // likewise
	LogReach   time.Duration // accesses older than this tell nothing about order and nearness in time

	DeadWeight        float64 // tiers of links that go
	DeadIdle          time.Duration
	NoiseWeight       float64
	NoiseMet          int
	NoiseIdle         time.Duration
	AbandonedWeight   float64
	AbandonedIdle     time.Duration
	AbandonedSessions int
	AbandonedKept     time.Duration
	BridgeWeight      float64
	BridgeMet         int
	BridgeActivation  float64
	BridgeMyelin      float64
	BridgePerDay      float64
	LoneAccesses      int // neurons that go
	LoneMyelin        float64
	LoneActivation    float64
	MassShare         float64 // of the graph that one sleep may forget
	MassLeast         int
	MassDays          int
	MassWindow        time.Duration // votes of slices count for so long

	WeightTarget   float64
	MyelinTarget   float64
	BalanceLeast   int
	Sample         int
	BusyTimes      float64 // hyperactive neurons
	BusyFactor     float64
	RareShare      float64 // underactive ones
	RareMyelin     float64
	RareFactor     float64
	ReviewMyelin   float64
	ReviewAfter    time.Duration
	ReviewUntil    time.Duration
	ReviewShare    float64
	ReviewsMost    int
	MissedFactor   float64
	ReplaySessions int
	ReplayAccesses int
	ReplayWithin   time.Duration
	ReplayGain     float64

	PairSessions  int
	PairWithin    time.Duration
	PairFiles     int
	SeedWeight    float64
	PairWeak      float64
	PairGain      float64
	NearWithin    time.Duration
	NearTimes     int
	NearSpan      float64
	NearWeak      float64
	NearGain      float64
	OrderSteps    int
	OrderTimes    int
	OrderRatio    float64
	OrderLeast    float64
	OrderMost     float64
	OrderGain     float64
	TripleMost    float64
	TripleGain    float64
	TripleCompany int
}

func (s *Sleep) entries() []Entry {
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	seconds := func(f *time.Duration) number { return duration{f, time.Second} }
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	const (
		tiers   = "tiers of forgetting of the design"
		balance = "homeostasis of the design"
		mining  = "consolidation of the design"
		measure = "hebb bench sleep"
	)
	return []Entry{
		{
			Name: "sleep.every", Unit: "min", Default: 15, Min: 1, Max: 10080, value: minutes(&s.Every),
			Meaning: "hebb sleeps by itself after work at most this often", Source: "a pause this long is the end of a piece of work",
		},
		{
			Name: "sleep.whole", Unit: "rows", Default: 100000, Min: 0, Max: 100000000, value: count(&s.Whole),
			Meaning: "a graph of up to so many links, and neurons, is looked at whole", Source: measure,
		},
		{
			Name: "sleep.slice", Unit: "rows", Default: 25000, Min: 1000, Max: 100000000, value: count(&s.Slice),
			Meaning: "links, and neurons, of a larger one that a sleep nobody asked for looks at; the next goes on from there", Source: measure,
		},
		{
			Name: "sleep.chunk", Unit: "rows", Default: 400, Min: 1, Max: 100000, value: count(&s.Chunk),
			Meaning: "rows changed in one write transaction, so that others can write in between", Source: measure,
		},
		{
			Name: "sleep.lease", Unit: "s", Default: 60, Min: 1, Max: 3600, value: seconds(&s.Lease),
			Meaning: "a process that sleeps and says nothing for this long is taken for dead", Source: "longer than any of its transactions",
		},
		{
			Name: "sleep.log_kept", Unit: "sleeps", Default: 500, Min: 1, Max: 100000, value: count(&s.LogKept),
			Meaning: "sleeps that the timeline remembers", Source: "some weeks of daily work",
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
			Name: "sleep.budget_left", Unit: "share", Default: 0.9, Min: 0.1, Max: 1, value: ratio(&s.BudgetLeft),
			Meaning: "how full of its budget a store is after it has forgotten its oldest work", Source: "forgetting work is costly, so it is done rarely",
		},
		{
			Name: "sleep.log_rows", Unit: "accesses", Default: 5000, Min: 100, Max: 1000000, value: count(&s.LogRows),
			Meaning: "latest accesses of a project that a sleep looks at", Source: mining,
		},
		{
			Name: "sleep.log_age", Unit: "days", Default: 30, Min: 1, Max: 3650, value: days(&s.LogAge),
			Meaning: "commands of tool calls older than this are dropped, beyond the latest accesses", Source: mining,
		},
		{
			Name: "sleep.log_reach", Unit: "days", Default: 14, Min: 1, Max: 365, value: days(&s.LogReach),
			Meaning: "accesses older than this tell nothing about order and nearness in time", Source: mining,
		},
		{
			Name: "sleep.dead_weight", Unit: "weight", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.DeadWeight),
			Meaning: "a link weaker than this is dead", Source: tiers,
		},
		{
			Name: "sleep.dead_idle", Unit: "days", Default: 7, Min: 0, Max: 3650, value: days(&s.DeadIdle),
			Meaning: "a dead link not met for this long is forgotten", Source: tiers,
		},
		{
			Name: "sleep.noise_weight", Unit: "weight", Default: 0.15, Min: 0, Max: 1, value: ratio(&s.NoiseWeight),
			Meaning: "a link weaker than this that was hardly met is noise", Source: tiers,
		},
		{
			Name: "sleep.noise_met", Unit: "meetings", Default: 1, Min: 0, Max: 1000, value: count(&s.NoiseMet),
			Meaning: "meetings up to which a link was hardly met", Source: tiers,
		},
		{
			Name: "sleep.noise_idle", Unit: "days", Default: 3, Min: 0, Max: 3650, value: days(&s.NoiseIdle),
			Meaning: "noise not met for this long is forgotten", Source: tiers,
		},
		{
			Name: "sleep.abandoned_weight", Unit: "weight", Default: 0.3, Min: 0, Max: 1, value: ratio(&s.AbandonedWeight),
			Meaning: "a link weaker than this can be abandoned", Source: tiers,
		},
		{
			Name: "sleep.abandoned_idle", Unit: "days", Default: 30, Min: 0, Max: 3650, value: days(&s.AbandonedIdle),
			Meaning: "an abandoned link not met for this long is forgotten", Source: tiers,
		},
		{
			Name: "sleep.abandoned_sessions", Unit: "sessions", Default: 2, Min: 1, Max: 1000, value: count(&s.AbandonedSessions),
			Meaning: "a link that so many sessions have met waits longer", Source: "hebb bench life",
		},
		{
			Name: "sleep.abandoned_kept", Unit: "days", Default: 60, Min: 0, Max: 3650, value: days(&s.AbandonedKept),
			Meaning: "and is forgotten, if it is not strong, when it was not met for this long", Source: "hebb bench life",
		},
		{
			Name: "sleep.bridge_weight", Unit: "weight", Default: 0.3, Min: 0, Max: 1, value: ratio(&s.BridgeWeight),
			Meaning: "a link weaker than this to something cold may be a bridge of noise", Source: tiers,
		},
		{
			Name: "sleep.bridge_met", Unit: "meetings", Default: 2, Min: 0, Max: 1000, value: count(&s.BridgeMet),
			Meaning: "meetings up to which it is one", Source: tiers,
		},
		{
			Name: "sleep.bridge_activation", Unit: "activation", Default: 0.1, Min: 0, Max: 1, value: ratio(&s.BridgeActivation),
			Meaning: "activation below which an end is cold", Source: tiers,
		},
		{
			Name: "sleep.bridge_myelin", Unit: "myelin", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.BridgeMyelin),
			Meaning: "and its myelin below this", Source: tiers,
		},
		{
			Name: "sleep.bridge_per_day", Unit: "share", Default: 0.8, Min: 0.01, Max: 1, value: ratio(&s.BridgePerDay),
			Meaning: "what a day leaves of a bridge of noise, besides fading, until it is dead", Source: tiers,
		},
		{
			Name: "sleep.lone_accesses", Unit: "accesses", Default: 3, Min: 0, Max: 1000, value: count(&s.LoneAccesses),
			Meaning: "a file or error without links and with fewer accesses can be forgotten", Source: tiers,
		},
		{
			Name: "sleep.lone_myelin", Unit: "myelin", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.LoneMyelin),
			Meaning: "if its myelin is below this", Source: tiers,
		},
		{
			Name: "sleep.lone_activation", Unit: "activation", Default: 0.01, Min: 0, Max: 1, value: ratio(&s.LoneActivation),
			Meaning: "and its activation below this: about a month without an access", Source: tiers,
		},
		{
			Name: "sleep.mass_share", Unit: "share", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.MassShare),
			Meaning: "a sleep that would forget more of the graph than this waits", Source: "a wrong clock must not cost a memory",
		},
		{
			Name: "sleep.mass_least", Unit: "links", Default: 20, Min: 0, Max: 100000, value: count(&s.MassLeast),
			Meaning: "so many may always go", Source: "in a small graph a few links are a large share",
		},
		{
			Name: "sleep.mass_days", Unit: "days", Default: 3, Min: 1, Max: 100, value: count(&s.MassDays),
			Meaning: "days on which sleeps must want the same before it is done without being asked", Source: "a wrong clock must not cost a memory",
		},
		{
			Name: "sleep.mass_window", Unit: "days", Default: 7, Min: 1, Max: 3650, value: days(&s.MassWindow),
			Meaning: "of a graph that is slept over in slices, such days count no longer than this", Source: "a calm slice says nothing about the others, so only time ends what one wanted",
		},
		{
			Name: "sleep.weight_target", Unit: "weight", Default: 0.35, Min: 0.01, Max: 1, value: ratio(&s.WeightTarget),
			Meaning: "all weights are scaled down when their mean is above this", Source: balance,
		},
		{
			Name: "sleep.myelin_target", Unit: "myelin", Default: 0.15, Min: 0.01, Max: 1, value: ratio(&s.MyelinTarget),
			Meaning: "all myelin is scaled down when its mean is above this", Source: balance,
		},
		{
			Name: "sleep.balance_least", Unit: "rows", Default: 100, Min: 1, Max: 1000000, value: count(&s.BalanceLeast),
			Meaning: "fewer links, or files, than this have no mean worth the name and are not scaled", Source: "one strong link is no excess",
		},
		{
			Name: "sleep.sample", Unit: "rows", Default: 1000, Min: 100, Max: 100000000, value: count(&s.Sample),
			Meaning: "rows from which the means of a larger graph are taken", Source: measure,
		},
		{
			Name: "sleep.busy_times", Unit: "factor", Default: 3, Min: 1, Max: 1000, value: ratio(&s.BusyTimes),
			Meaning: "a file with so many times the usual accesses is hyperactive", Source: balance,
		},
		{
			Name: "sleep.busy_factor", Unit: "factor", Default: 0.9, Min: 0.01, Max: 1, value: ratio(&s.BusyFactor),
			Meaning: "what a day of use leaves of its myelin", Source: balance,
		},
		{
			Name: "sleep.rare_share", Unit: "share", Default: 0.333, Min: 0, Max: 1, value: ratio(&s.RareShare),
			Meaning: "a file with less than this share of the usual accesses is underactive", Source: balance,
		},
		{
			Name: "sleep.rare_myelin", Unit: "myelin", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.RareMyelin),
			Meaning: "and worth a boost above this", Source: balance,
		},
		{
			Name: "sleep.rare_factor", Unit: "factor", Default: 1.05, Min: 1, Max: 2, value: ratio(&s.RareFactor),
			Meaning: "its myelin is lifted by this once, never above what it was at its last use", Source: balance,
		},
		{
			Name: "sleep.review_myelin", Unit: "myelin", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.ReviewMyelin),
			Meaning: "files with more are reviewed", Source: mining,
		},
		{
			Name: "sleep.review_after", Unit: "days", Default: 1, Min: 0, Max: 365, value: days(&s.ReviewAfter),
			Meaning: "first so long after their last use", Source: mining,
		},
		{
			Name: "sleep.review_until", Unit: "days", Default: 7, Min: 0, Max: 365, value: days(&s.ReviewUntil),
			Meaning: "and last so long after it; later they have missed it", Source: mining,
		},
		{
			Name: "sleep.review_share", Unit: "share", Default: 0.25, Min: 0, Max: 1, value: ratio(&s.ReviewShare),
			Meaning: "what a review gives of what an access would, never above what it was at its last use", Source: mining,
		},
		{
			Name: "sleep.reviews_most", Unit: "reviews", Default: 3, Min: 0, Max: 100, value: count(&s.ReviewsMost),
			Meaning: "reviews after one use", Source: "spaced: once a window, not once a sleep",
		},
		{
			Name: "sleep.missed_factor", Unit: "factor", Default: 0.95, Min: 0.01, Max: 1, value: ratio(&s.MissedFactor),
			Meaning: "what missing the reviews leaves of myelin, once", Source: mining,
		},
		{
			Name: "sleep.replay_sessions", Unit: "sessions", Default: 5, Min: 0, Max: 1000, value: count(&s.ReplaySessions),
			Meaning: "sessions a sleep goes through again, those with most accesses first", Source: mining,
		},
		{
			Name: "sleep.replay_accesses", Unit: "accesses", Default: 5, Min: 1, Max: 1000, value: count(&s.ReplayAccesses),
			Meaning: "a session with fewer is not worth it", Source: mining,
		},
		{
			Name: "sleep.replay_within", Unit: "days", Default: 7, Min: 0, Max: 365, value: days(&s.ReplayWithin),
			Meaning: "nor is an older one", Source: mining,
		},
		{
			Name: "sleep.replay_gain", Unit: "weight", Default: 0.01, Min: 0, Max: 1, value: ratio(&s.ReplayGain),
			Meaning: "what going through a meeting again adds to a link that exists, before SNAP", Source: mining,
		},
		{
			Name: "sleep.pair_sessions", Unit: "sessions", Default: 3, Min: 2, Max: 1000, value: count(&s.PairSessions),
			Meaning: "sessions two files must share to be found to belong together", Source: mining,
		},
		{
			Name: "sleep.pair_within", Unit: "days", Default: 7, Min: 0, Max: 365, value: days(&s.PairWithin),
			Meaning: "within this time", Source: mining,
		},
		{
			Name: "sleep.pair_files", Unit: "files", Default: 60, Min: 2, Max: 10000, value: count(&s.PairFiles),
			Meaning: "files of one session that are paired, those of most sessions first", Source: "keeps the work linear in the log",
		},
		{
			Name: "sleep.seed_weight", Unit: "weight", Default: 0.15, Min: 0, Max: 1, value: ratio(&s.SeedWeight),
			Meaning: "weight of a link that a sleep finds", Source: mining,
		},
		{
			Name: "sleep.pair_weak", Unit: "weight", Default: 0.2, Min: 0, Max: 1, value: ratio(&s.PairWeak),
			Meaning: "a link weaker than this grows when a sleep finds the pair again", Source: mining,
		},
		{
			Name: "sleep.pair_gain", Unit: "weight", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.PairGain),
			Meaning: "by this, before SNAP", Source: mining,
		},
		{
			Name: "sleep.near_within", Unit: "s", Default: 60, Min: 1, Max: 3600, value: seconds(&s.NearWithin),
			Meaning: "files touched this close in time are near", Source: mining,
		},
		{
			Name: "sleep.near_times", Unit: "times", Default: 3, Min: 1, Max: 1000, value: count(&s.NearTimes),
			Meaning: "times they must be", Source: mining,
		},
		{
			Name: "sleep.near_span", Unit: "weight", Default: 0.15, Min: 0, Max: 1, value: ratio(&s.NearSpan),
			Meaning: "what a link found by nearness has beyond the seed weight when the files were touched at once", Source: mining,
		},
		{
			Name: "sleep.near_weak", Unit: "weight", Default: 0.3, Min: 0, Max: 1, value: ratio(&s.NearWeak),
			Meaning: "a link weaker than this grows by being near", Source: mining,
		},
		{
			Name: "sleep.near_gain", Unit: "weight", Default: 0.03, Min: 0, Max: 1, value: ratio(&s.NearGain),
			Meaning: "by this, before SNAP", Source: mining,
		},
		{
			Name: "sleep.order_steps", Unit: "steps", Default: 5, Min: 1, Max: 100, value: count(&s.OrderSteps),
			Meaning: "a file touched at most this long after another comes after it", Source: mining,
		},
		{
			Name: "sleep.order_times", Unit: "times", Default: 5, Min: 1, Max: 1000, value: count(&s.OrderTimes),
			Meaning: "times it must, to be a direction", Source: mining,
		},
		{
			Name: "sleep.order_ratio", Unit: "factor", Default: 2, Min: 1, Max: 1000, value: ratio(&s.OrderRatio),
			Meaning: "and more than this times as often as the other way round", Source: mining,
		},
		{
			Name: "sleep.order_least", Unit: "weight", Default: 0.1, Min: 0, Max: 1, value: ratio(&s.OrderLeast),
			Meaning: "weaker links have no direction yet", Source: mining,
		},
		{
			Name: "sleep.order_most", Unit: "weight", Default: 0.8, Min: 0, Max: 1, value: ratio(&s.OrderMost),
			Meaning: "stronger ones need none", Source: mining,
		},
		{
			Name: "sleep.order_gain", Unit: "share", Default: 0.2, Min: 0, Max: 1, value: ratio(&s.OrderGain),
			Meaning: "what a direction adds to its weight, before SNAP", Source: mining,
		},
		{
			Name: "sleep.triple_most", Unit: "weight", Default: 0.5, Min: 0, Max: 1, value: ratio(&s.TripleMost),
			Meaning: "links of three files that all belong together grow up to this", Source: mining,
		},
		{
			Name: "sleep.triple_gain", Unit: "weight", Default: 0.05, Min: 0, Max: 1, value: ratio(&s.TripleGain),
			Meaning: "by this, before SNAP", Source: mining,
		},
		{
			Name: "sleep.triple_company", Unit: "files", Default: 20, Min: 2, Max: 1000, value: count(&s.TripleCompany),
			Meaning: "companions of a file among which threes are looked for", Source: mining,
		},
	}
}
