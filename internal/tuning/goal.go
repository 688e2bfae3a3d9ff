package tuning

import "time"

// Goal says how concerns keep their place, what idle time makes of them, and when somebody is stuck.
type Goal struct {
	RecencyTau         time.Duration // time without work that leaves 1/e of a goal
	MentionTau         time.Duration // time that leaves 1/e of what a mention added
	MentionGain        float64       // what a mention adds to a factor of 1
	ConnectionGain     float64       // what a connected goal adds to a factor of 1
	TitleLength        int           // characters of a title
	Concepts           int           // words a goal is compared by
	GrownMost          float64       // weight of a word that sessions added
	GrownStep          float64       // what one session adds to it
	MentionShare       float64       // of its words that a prompt must say
	SameWords          float64       // likeness of words that makes two goals the same
	SameWordsNear      float64       // that is enough with a near meaning
	SameCosine         float64       // cosine of a near meaning
	StatedMost         int           // characters of a prompt above which it is a document
	SentenceMost       int           // characters of a sentence that states a goal
	Pause              time.Duration // that ends an episode
	DeepRead           int64         // bytes of a file above which it was read deeply
	ExchangeTurns      int           // turns on one topic above which it is an exchange
	TopicShare         float64       // of the words of a prompt that keep the topic
	EpisodeConcepts    int           // words an episode is compared by
	EpisodeLength      int           // characters of its line
	StepsBrief         int           // steps of each depth of a replay
	StepsFull          int
	StepsDeep          int
	ReplayGoals        int           // goals an episode is held against
	DeepGoals          int           // in a deep replay
	DullSteps          int           // steps without a connection that end a replay
	ThinkSessions      int           // latest sessions whose episodes are looked at
	ThinkSessionsBrief int           // in a brief replay
	ThinkNotes         int           // latest notes that are
	ThinkBrief         time.Duration // that a replay of each depth may take
	ThinkFull          time.Duration
	ThinkDeep          time.Duration
	ThinkLately        time.Duration // since a project was worked in, to be thought of by itself
	ThinkIdle          time.Duration // without work before a full one
	PoolLatest         int           // latest episodes that may come to mind
	PoolNear           int           // nearest ones that may
	EpisodeTau         time.Duration // time that leaves 1/e of how often an episode comes to mind
	OldShare           float64       // of that is left at any age
	Temperature        float64       // of the draw
	CommunityFactor    float64       // what a visit leaves of the chance of its part of the graph
	WordsFull          float64       // likeness of words that counts whole
	CosineNone         float64       // cosine that counts nothing
	CosineFull         float64       // cosine that counts whole
	WeightWords        float64       // of a strength that words give
	Threshold          float64       // strength that a connection needs
	ThresholdLeast     float64       // bounds of what feedback makes of it
	ThresholdMost      float64
	LearnUp            float64       // what a wrong connection adds
	LearnDown          float64       // what a used one takes
	StrongAbove        float64       // above the threshold that makes a connection strong
	Suppress           time.Duration // during which what was shown is not shown again
	TellFor            time.Duration // that a connection is told at starts
	GapTimes           int           // a gap was met to be a goal
	GapTractability    float64       // of such a goal
	StuckSessions      int           // sessions without progress
	StuckTime          time.Duration // in this session
	StuckCalls         int           // latest calls that are looked at
	StuckCallsLeast    int           // fewer prove nothing
	StuckRepeat        float64       // share of them made before that is no new approach
	IncubateLeast      int           // sessions a goal rests at least
	IncubateMost       int           // after which somebody has to decide
	EscalateEvery      int           // between the steps of that
}

func (g *Goal) entries() []Entry {
	days := func(f *time.Duration) number { return duration{f, 24 * time.Hour} }
	hours := func(f *time.Duration) number { return duration{f, time.Hour} }
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	milliseconds := func(f *time.Duration) number { return duration{f, time.Millisecond} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	count64 := func(f *int64) number { return scaled[int64]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	const (
		seed       = "algorithms of the default mode network as they were designed"
		design     = "proposal of the design where its source is silent"
		calibrated = "public session traces and tables of pairs (internal/goal)"
	)
	return []Entry{
		{
			Name: "goal.recency_tau", Unit: "days", Default: 7, Min: 0.1, Max: 3650, value: days(&g.RecencyTau),
			Meaning: "days without work that leave a goal 1/e = 0.37 of its priority; not a half-life, which is 0.69 of it", Source: seed,
		},
		{
			Name: "goal.mention_tau", Unit: "h", Default: 24, Min: 0.1, Max: 8760, value: hours(&g.MentionTau),
			Meaning: "hours after which what a mention added has 1/e = 0.37 of it left", Source: seed,
		},
		{
			Name: "goal.mention_gain", Unit: "factor", Default: 2, Min: 0, Max: 100, value: ratio(&g.MentionGain),
			Meaning: "what a mention by a person adds to a factor of 1", Source: seed,
		},
		{
			Name: "goal.connection_gain", Unit: "factor", Default: 0.1, Min: 0, Max: 10, value: ratio(&g.ConnectionGain),
			Meaning: "what each active goal that shares a link adds to a factor of 1", Source: seed,
		},
		{
			Name: "goal.title_length", Unit: "characters", Default: 100, Min: 20, Max: 1000, value: count(&g.TitleLength),
			Meaning: "of the title of a goal at most", Source: "one line of a terminal",
		},
		{
			Name: "goal.concepts", Unit: "words", Default: 24, Min: 1, Max: 1000, value: count(&g.Concepts),
			Meaning: "that a goal is compared by at most", Source: "a title and what a few sessions add",
		},
		{
			Name: "goal.grown_most", Unit: "weight", Default: 0.5, Min: 0, Max: 0.99, value: ratio(&g.GrownMost),
			Meaning: "a word that sessions add to a goal weighs at most this; those it was stated with weigh more", Source: "what was said counts more than what was done for it",
		},
		{
			Name: "goal.grown_step", Unit: "weight", Default: 0.1, Min: 0, Max: 1, value: ratio(&g.GrownStep),
			Meaning: "what one session adds to such a word", Source: "five sessions make a word belong to a goal",
		},
		{
			Name: "goal.mention_share", Unit: "share", Default: 0.5, Min: 0.01, Max: 1, value: ratio(&g.MentionShare),
			Meaning: "of the words of a goal must be said for a prompt to mention it", Source: "precision first: a false mention triples a goal",
		},
		{
			Name: "goal.same_words", Unit: "share", Default: 0.75, Min: 0, Max: 1, value: ratio(&g.SameWords),
			Meaning: "of the words of two goals must agree for them to be the same", Source: calibrated,
		},
		{
			Name: "goal.same_words_near", Unit: "share", Default: 0.4, Min: 0, Max: 1, value: ratio(&g.SameWordsNear),
			Meaning: "is enough if their meanings are near", Source: calibrated,
		},
		{
			Name: "goal.same_cosine", Unit: "cosine", Default: 0.88, Min: 0, Max: 1, value: ratio(&g.SameCosine),
			Meaning: "from which on the meanings of two goals are near", Source: calibrated,
		},
		{
			Name: "goal.stated_most", Unit: "characters", Default: 1500, Min: 100, Max: 100000, value: count(&g.StatedMost),
			Meaning: "a longer prompt is a document: only what it marks as left to do is a goal", Source: "prompts of the public session traces",
		},
		{
			Name: "goal.sentence_most", Unit: "characters", Default: 240, Min: 40, Max: 10000, value: count(&g.SentenceMost),
			Meaning: "a longer sentence states no goal", Source: "prompts of the public session traces",
		},
		{
			Name: "goal.pause", Unit: "min", Default: 15, Min: 1, Max: 1440, value: minutes(&g.Pause),
			Meaning: "that ends an episode", Source: "as session.idle_after",
		},
		{
			Name: "goal.deep_read", Unit: "bytes", Default: 4000, Min: 0, Max: 1e9, value: count64(&g.DeepRead),
			Meaning: "of a file that must be read, all together, for a deep read", Source: "the hundred lines of the design at 40 bytes each",
		},
		{
			Name: "goal.exchange_turns", Unit: "turns", Default: 5, Min: 0, Max: 1000, value: count(&g.ExchangeTurns),
			Meaning: "an exchange has more: prompts, answers and changes of files on one topic", Source: seed,
		},
		{
			Name: "goal.topic_share", Unit: "share", Default: 0.1, Min: 0, Max: 1, value: ratio(&g.TopicShare),
			Meaning: "of the words of a prompt must have been met on the topic before, else it opens a new one", Source: calibrated,
		},
		{
			Name: "goal.episode_concepts", Unit: "words", Default: 16, Min: 1, Max: 1000, value: count(&g.EpisodeConcepts),
			Meaning: "that an episode is compared by at most", Source: calibrated,
		},
		{
			Name: "goal.episode_length", Unit: "characters", Default: 160, Min: 20, Max: 10000, value: count(&g.EpisodeLength),
			Meaning: "of the line that tells an episode", Source: "two lines of a terminal",
		},
		{
			Name: "goal.steps_brief", Unit: "steps", Default: 3, Min: 1, Max: 100000, value: count(&g.StepsBrief),
			Meaning: "of a replay after a task; each holds one episode against the goals", Source: seed,
		},
		{
			Name: "goal.steps_full", Unit: "steps", Default: 15, Min: 1, Max: 100000, value: count(&g.StepsFull),
			Meaning: "of a replay while nobody works", Source: "5 to 10 minutes of the design against 1 to 2 of a brief one",
		},
		{
			Name: "goal.steps_deep", Unit: "steps", Default: 45, Min: 1, Max: 100000, value: count(&g.StepsDeep),
			Meaning: "of a replay inside a sleep", Source: "15 to 30 minutes of the design, likewise",
		},
		{
			Name: "goal.replay_goals", Unit: "goals", Default: 5, Min: 1, Max: 10000, value: count(&g.ReplayGoals),
			Meaning: "of the highest priority that an episode is held against", Source: seed,
		},
		{
			Name: "goal.deep_goals", Unit: "goals", Default: 25, Min: 1, Max: 10000, value: count(&g.DeepGoals),
			Meaning: "likewise in a deep replay", Source: "a deep replay is to compare everything with everything",
		},
		{
			Name: "goal.dull_steps", Unit: "steps", Default: 3, Min: 1, Max: 1000, value: count(&g.DullSteps),
			Meaning: "in a row without a connection that end a brief or full replay", Source: seed,
		},
		{
			Name: "goal.think_sessions", Unit: "sessions", Default: 400, Min: 1, Max: 100000, value: count(&g.ThinkSessions),
			Meaning: "latest ones of a project whose episodes a full or deep replay looks at", Source: "public session traces: all of a project find more than its latest 40",
		},
		{
			Name: "goal.think_sessions_brief", Unit: "sessions", Default: 100, Min: 1, Max: 100000, value: count(&g.ThinkSessionsBrief),
			Meaning: "likewise of a brief replay, which follows every task", Source: "reading more costs more than the replay",
		},
		{
			Name: "goal.think_notes", Unit: "notes", Default: 400, Min: 0, Max: 100000, value: count(&g.ThinkNotes),
			Meaning: "latest things that somebody noted or had remembered that may come to mind", Source: "as goal.think_sessions",
		},
		{
			Name: "goal.think_brief", Unit: "ms", Default: 1000, Min: 1, Max: 600000, value: milliseconds(&g.ThinkBrief),
			Meaning: "that a replay after a task may take; the 1 to 2 minutes of the design are those of a mind in words", Source: "nobody waits for it, but it shares the machine",
		},
		{
			Name: "goal.think_full", Unit: "ms", Default: 5000, Min: 1, Max: 600000, value: milliseconds(&g.ThinkFull),
			Meaning: "that a replay while nobody works may take", Source: "5 times a brief one, as designed",
		},
		{
			Name: "goal.think_lately", Unit: "h", Default: 24, Min: 1, Max: 100000, value: hours(&g.ThinkLately),
			Meaning: "a project that was worked in within this time is thought of by itself", Source: "a day of work",
		},
		{
			Name: "goal.think_deep", Unit: "ms", Default: 15000, Min: 1, Max: 600000, value: milliseconds(&g.ThinkDeep),
			Meaning: "that a replay inside a sleep may take", Source: "15 times a brief one, as designed",
		},
		{
			Name: "goal.think_idle", Unit: "min", Default: 5, Min: 0, Max: 1440, value: minutes(&g.ThinkIdle),
			Meaning: "without work in a project after which a full replay follows at the next start or drain", Source: seed,
		},
		{
			Name: "goal.pool_latest", Unit: "episodes", Default: 50, Min: 1, Max: 100000, value: count(&g.PoolLatest),
			Meaning: "latest ones that may come to mind", Source: "a week of work",
		},
		{
			Name: "goal.pool_near", Unit: "episodes", Default: 50, Min: 0, Max: 100000, value: count(&g.PoolNear),
			Meaning: "of any age that may, those whose words are nearest to a goal", Source: "as many as of the latest",
		},
		{
			Name: "goal.episode_tau", Unit: "days", Default: 7, Min: 0.1, Max: 3650, value: days(&g.EpisodeTau),
			Meaning: "after which an episode comes to mind 1/e = 0.37 times as often", Source: "as goal.recency_tau",
		},
		{
			Name: "goal.old_share", Unit: "share", Default: 0.05, Min: 0, Max: 1, value: ratio(&g.OldShare),
			Meaning: "of that is left however old it is", Source: "what an incubating goal needs may be long ago",
		},
		{
			Name: "goal.temperature", Unit: "temperature", Default: 0.7, Min: 0.05, Max: 100, value: ratio(&g.Temperature),
			Meaning: "of the draw: the lower, the more often what is near to a goal comes to mind", Source: seed,
		},
		{
			Name: "goal.community_factor", Unit: "factor", Default: 0.5, Min: 0, Max: 1, value: ratio(&g.CommunityFactor),
			Meaning: "what one visit of a part of the graph leaves of the chance of the next", Source: "threads from different parts, as designed",
		},
		{
			Name: "goal.words_full", Unit: "share", Default: 0.25, Min: 0.01, Max: 1, value: ratio(&g.WordsFull),
			Meaning: "likeness of words that counts whole: one pair of an episode and a goal in a thousand has it", Source: calibrated,
		},
		{
			Name: "goal.cosine_none", Unit: "cosine", Default: 0.5, Min: -1, Max: 0.8, value: ratio(&g.CosineNone),
			Meaning: "of meanings that counts nothing: any two texts of a project have it", Source: calibrated,
		},
		{
			Name: "goal.cosine_full", Unit: "cosine", Default: 0.9, Min: 0.81, Max: 1, value: ratio(&g.CosineFull),
			Meaning: "that counts whole", Source: calibrated,
		},
		{
			Name: "goal.weight_words", Unit: "share", Default: 0.8, Min: 0, Max: 1, value: ratio(&g.WeightWords),
			Meaning: "of a strength that words give where meanings are known; meanings give the rest", Source: calibrated,
		},
		{
			Name: "goal.threshold", Unit: "strength", Default: 0.5, Min: 0, Max: 1, value: ratio(&g.Threshold),
			Meaning: "that a connection needs before anybody has said whether they help", Source: calibrated,
		},
		{
			Name: "goal.threshold_least", Unit: "strength", Default: 0.3, Min: 0, Max: 1, value: ratio(&g.ThresholdLeast),
			Meaning: "that feedback never lowers it below", Source: calibrated,
		},
		{
			Name: "goal.threshold_most", Unit: "strength", Default: 0.9, Min: 0, Max: 1, value: ratio(&g.ThresholdMost),
			Meaning: "nor raises it above", Source: calibrated,
		},
		{
			Name: "goal.learn_up", Unit: "strength", Default: 0.02, Min: 0, Max: 1, value: ratio(&g.LearnUp),
			Meaning: "that a wrong connection raises it by", Source: "with the next: two of three are used where it comes to rest",
		},
		{
			Name: "goal.learn_down", Unit: "strength", Default: 0.01, Min: 0, Max: 1, value: ratio(&g.LearnDown),
			Meaning: "that a used one lowers it by", Source: "as goal.learn_up",
		},
		{
			Name: "goal.strong_above", Unit: "strength", Default: 0.25, Min: 0, Max: 1, value: ratio(&g.StrongAbove),
			Meaning: "above the threshold that makes a connection strong", Source: calibrated,
		},
		{
			Name: "goal.suppress", Unit: "h", Default: 6, Min: 0, Max: 8760, value: hours(&g.Suppress),
			Meaning: "during which what was shown is not shown again", Source: seed,
		},
		{
			Name: "goal.tell_for", Unit: "h", Default: 72, Min: 0, Max: 8760, value: hours(&g.TellFor),
			Meaning: "during which sessions are told of a connection that nobody has judged", Source: "a weekend must not swallow it",
		},
		{
			Name: "goal.gap_times", Unit: "times", Default: 2, Min: 1, Max: 1000, value: count(&g.GapTimes),
			Meaning: "that something was not known before it becomes a goal by itself", Source: "once may be a slip, twice is a want",
		},
		{
			Name: "goal.gap_tractability", Unit: "share", Default: 0.2, Min: 0.01, Max: 1, value: ratio(&g.GapTractability),
			Meaning: "of such a goal: it comes after all that somebody stated", Source: "what needs answers of a person, as designed",
		},
		{
			Name: "goal.stuck_sessions", Unit: "sessions", Default: 3, Min: 1, Max: 1000, value: count(&g.StuckSessions),
			Meaning: "without progress after which one can be stuck", Source: seed,
		},
		{
			Name: "goal.stuck_time", Unit: "min", Default: 20, Min: 0, Max: 1440, value: minutes(&g.StuckTime),
			Meaning: "in this session that must be exceeded", Source: seed,
		},
		{
			Name: "goal.stuck_calls", Unit: "calls", Default: 20, Min: 1, Max: 10000, value: count(&g.StuckCalls),
			Meaning: "latest ones that are looked at for a new approach", Source: design,
		},
		{
			Name: "goal.stuck_calls_least", Unit: "calls", Default: 5, Min: 1, Max: 10000, value: count(&g.StuckCallsLeast),
			Meaning: "fewer prove nothing", Source: "one call made again is no grinding",
		},
		{
			Name: "goal.stuck_repeat", Unit: "share", Default: 0.8, Min: 0, Max: 1, value: ratio(&g.StuckRepeat),
			Meaning: "of them that the session before had made, with the same errors, is no new approach", Source: design,
		},
		{
			Name: "goal.incubate_least", Unit: "sessions", Default: 1, Min: 0, Max: 1000, value: count(&g.IncubateLeast),
			Meaning: "a goal rests at least", Source: seed,
		},
		{
			Name: "goal.incubate_most", Unit: "sessions", Default: 5, Min: 1, Max: 1000, value: count(&g.IncubateMost),
			Meaning: "after which somebody has to decide", Source: seed,
		},
		{
			Name: "goal.escalate_every", Unit: "sessions", Default: 1, Min: 1, Max: 1000, value: count(&g.EscalateEvery),
			Meaning: "between asking, another approach, and dropping it", Source: "each step has one session to help",
		},
	}
}
