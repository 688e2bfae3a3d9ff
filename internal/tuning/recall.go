package tuning

import "time"

// Recall holds the numbers of ranking. Ages count commits or sessions, the clocks the evidence fades on.
type Recall struct {
	OpenHalfLife       float64 // open files before the latest count half as much each
	HeatWindow         float64
	HeatHalfLife       float64
	OpenedHalfLife     float64
	MomentsWindow      float64
	MomentsHalfLife    float64 // hours
	FolderWindow       float64
	FolderHeatHalfLife float64
	NewHalfLife        float64
	TogetherHalfLife   float64
	LastHalfLife       float64
	FolderHalfLife     float64
	AlongsideReach     float64
	AlongsideWithin    time.Duration
	NextReach          float64
	StemBonus          float64
	SizePower          float64
	PlaceLeast         float64
	MatureProject      float64
	MatureFile         float64
	ClearWords         float64

	Stretch      int // different files of a session that belong together
	StretchWords int // words of prompts kept with them

	Saturation       float64
	PathLength       float64
	HistoryLength    float64
	PathShare        float64
	NameShare        float64
	OldShare         float64
	TextHalfLife     float64
	NearCommits      float64
	NearPower        float64
	NearSessions     float64
	NearSessionPower float64
	PhraseDamping    float64
	ScopeWindow      float64
	ScopeHalfLife    float64

	MyelinCap       float64
	MyelinBonus     float64
	RecencyHours    float64
	RecencyBonus    float64
	PathBonus       float64
	StemFloor       float64
	StemClue        float64
	SourceBonus     float64
	DocMalus        float64
	ConsensusFactor float64

	EpisodicWithin time.Duration
	EpisodicFull   int
	EpisodicGate   float64
	FixGate        float64
	FixWeight      float64
	YoungPast      int // episodes below which chances are not known yet

	Answers       int // that are ranked to the end
	OpenFiles     int // of a session that a question takes along
	OpenTouches   int // latest touches they are found in
	WiredLinks    int // strongest links of an open file that are followed
	LinksRank     int // 1: learned weights take part in ranking
	EvidenceShown int

	Often          float64
	Placed         float64
	PlaceScale     float64
	Offers         float64
	SpreadFrom     float64
	SpreadFloor    float64
	SpreadEpisodes float64
}

func (r *Recall) entries() []Entry {
	ratio := func(f *float64) number { return fraction{f} }
	return []Entry{
		{
			Name: "recall.alongside_within", Unit: "min", Default: 360, Min: 1, Max: 10080, value: duration{&r.AlongsideWithin, time.Minute},
			Meaning: "neighbouring commits further apart in time are different work", Source: learned,
		},
		{
			Name: "recall.open_half_life", Unit: "files", Default: 1.5, Min: 0.1, Max: 100, value: ratio(&r.OpenHalfLife),
			Meaning: "each open file before the latest counts half as much after this many", Source: learned,
		},
		{
			Name: "recall.heat_window", Unit: "episodes", Default: 1500, Min: 10, Max: 100000, value: ratio(&r.HeatWindow),
			Meaning: "commits and stretches of sessions that heat is counted over", Source: learned,
		},
		{
			Name: "recall.heat_half_life", Unit: "commits", Default: 100, Min: 1, Max: 10000, value: ratio(&r.HeatHalfLife),
			Meaning: "a change to a file counts half as heat after this many commits", Source: learned,
		},
		{
			Name: "recall.opened_half_life", Unit: "sessions", Default: 100, Min: 1, Max: 10000, value: ratio(&r.OpenedHalfLife),
			Meaning: "an opening of a file counts half after this many stretches of sessions", Source: learned,
		},
		{
			Name: "recall.moments_window", Unit: "commits", Default: 40, Min: 1, Max: 1000, value: ratio(&r.MomentsWindow),
			Meaning: "latest commits that may count as just now", Source: learned,
		},
		{
			Name: "recall.moments_half_life", Unit: "hours", Default: 4, Min: 0.1, Max: 240, value: ratio(&r.MomentsHalfLife),
			Meaning: "a commit counts half as just now after this", Source: learned,
		},
		{
			Name: "recall.folder_window", Unit: "commits", Default: 60, Min: 1, Max: 1000, value: ratio(&r.FolderWindow),
			Meaning: "latest commits that warm a folder", Source: learned,
		},
		{
			Name: "recall.folder_heat_half_life", Unit: "commits", Default: 10, Min: 1, Max: 1000, value: ratio(&r.FolderHeatHalfLife),
			Meaning: "a change to a folder counts half after this many commits", Source: learned,
		},
		{
			Name: "recall.new_half_life", Unit: "commits", Default: 30, Min: 1, Max: 1000, value: ratio(&r.NewHalfLife),
			Meaning: "a file is half as new after this many commits", Source: learned,
		},
		{
			Name: "recall.together_half_life", Unit: "commits", Default: 500, Min: 1, Max: 100000, value: ratio(&r.TogetherHalfLife),
			Meaning: "being changed together counts half after this many commits", Source: learned,
		},
		{
			Name: "recall.last_half_life", Unit: "commits", Default: 2, Min: 0.1, Max: 100, value: ratio(&r.LastHalfLife),
			Meaning: "the latest commits of an open file: each count half after this many", Source: learned,
		},
		{
			Name: "recall.folder_half_life", Unit: "commits", Default: 200, Min: 1, Max: 100000, value: ratio(&r.FolderHalfLife),
			Meaning: "being changed with an open file's folder counts half after this many commits", Source: learned,
		},
		{
			Name: "recall.alongside_reach", Unit: "commits", Default: 3, Min: 0, Max: 20, value: ratio(&r.AlongsideReach),
			Meaning: "commits before and after one that count as the same work", Source: learned,
		},
		{
			Name: "recall.next_reach", Unit: "files", Default: 1, Min: 0.1, Max: 100, value: ratio(&r.NextReach),
			Meaning: "what was opened after a file counts half after this many further files", Source: learned,
		},
		{
			Name: "recall.stem_bonus", Unit: "points", Default: 2, Min: 0, Max: 10, value: ratio(&r.StemBonus),
			Meaning: "what the same stem adds to the likeness of paths; the same folder adds 1", Source: learned,
		},
		{
			Name: "recall.size_power", Unit: "exponent", Default: 1, Min: 0, Max: 4, value: ratio(&r.SizePower),
			Meaning: "a commit of many files says less of each pair: divided by their number to this power", Source: learned,
		},
		{
			Name: "recall.place_least", Unit: "share", Default: 0.5, Min: 0.01, Max: 1, value: ratio(&r.PlaceLeast),
			Meaning: "share of folders two paths must begin with alike to count as near", Source: learned,
		},
		{
			Name: "recall.mature_project", Unit: "stretches", Default: 20, Min: 0.1, Max: 10000, value: ratio(&r.MatureProject),
			Meaning: "stretches of sessions after which a project goes by sessions as much as by commits", Source: learned,
		},
		{
			Name: "recall.mature_file", Unit: "stretches", Default: 3, Min: 0.1, Max: 1000, value: ratio(&r.MatureFile),
			Meaning: "stretches of sessions after which an open file does", Source: learned,
		},
		{
			Name: "recall.clear_words", Unit: "words", Default: 30, Min: 1, Max: 10000, value: ratio(&r.ClearWords),
			Meaning: "different words of a prompt at which the open files say as much as it does", Source: learned,
		},
		{
			Name: "recall.stretch", Unit: "files", Default: 12, Min: 2, Max: 100, value: scaled[int]{&r.Stretch, 1},
			Meaning: "different files of a session that count as opened together", Source: learned,
		},
		{
			Name: "recall.stretch_words", Unit: "words", Default: 200, Min: 1, Max: 10000, value: scaled[int]{&r.StretchWords, 1},
			Meaning: "words of the prompts kept with them", Source: learned,
		},
		{
			Name: "recall.saturation", Unit: "factor", Default: 1.2, Min: 0.1, Max: 5, value: ratio(&r.Saturation),
			Meaning: "how slowly a word that comes again stops adding (k1 of BM25)", Source: learned,
		},
		{
			Name: "recall.path_length", Unit: "share", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.PathLength),
			Meaning: "how much a long path or commit is discounted (b of BM25)", Source: learned,
		},
		{
			Name: "recall.history_length", Unit: "share", Default: 0.75, Min: 0, Max: 1, value: ratio(&r.HistoryLength),
			Meaning: "how much a file with a long history is discounted (b of BM25)", Source: learned,
		},
		{
			Name: "recall.path_share", Unit: "factor", Default: 0.5, Min: 0, Max: 2, value: ratio(&r.PathShare),
			Meaning: "a word in a commit's paths against one in its subject", Source: learned,
		},
		{
			Name: "recall.name_share", Unit: "factor", Default: 0.333, Min: 0, Max: 2, value: ratio(&r.NameShare),
			Meaning: "a word in the names a file defines against one in its path", Source: learned,
		},
		{
			Name: "recall.old_share", Unit: "share", Default: 0.33, Min: 0, Max: 1, value: ratio(&r.OldShare),
			Meaning: "what the words of an old commit never lose", Source: learned,
		},
		{
			Name: "recall.text_half_life", Unit: "episodes", Default: 1000, Min: 10, Max: 100000, value: ratio(&r.TextHalfLife),
			Meaning: "words of a commit or session lose half of the rest after this many", Source: learned,
		},
		{
			Name: "recall.near_commits", Unit: "commits", Default: 100, Min: 1, Max: 1000, value: ratio(&r.NearCommits),
			Meaning: "commits most like the question that speak for their files", Source: learned,
		},
		{
			Name: "recall.near_power", Unit: "exponent", Default: 2.5, Min: 0.1, Max: 10, value: ratio(&r.NearPower),
			Meaning: "how much more the nearest commits say than the less near", Source: learned,
		},
		{
			Name: "recall.near_sessions", Unit: "sessions", Default: 20, Min: 1, Max: 1000, value: ratio(&r.NearSessions),
			Meaning: "sessions most like the question that speak for their files", Source: learned,
		},
		{
			Name: "recall.near_session_power", Unit: "exponent", Default: 1, Min: 0.1, Max: 10, value: ratio(&r.NearSessionPower),
			Meaning: "how much more the nearest sessions say than the less near", Source: learned,
		},
		{
			Name: "recall.phrase_damping", Unit: "commits", Default: 3, Min: 0, Max: 100, value: ratio(&r.PhraseDamping),
			Meaning: "a phrase in many commits says less; this many count as none", Source: learned,
		},
		{
			Name: "recall.scope_window", Unit: "commits", Default: 60, Min: 1, Max: 1000, value: ratio(&r.ScopeWindow),
			Meaning: "latest commits with the same first word that are looked at", Source: learned,
		},
		{
			Name: "recall.scope_half_life", Unit: "commits", Default: 10, Min: 1, Max: 1000, value: ratio(&r.ScopeHalfLife),
			Meaning: "of these each counts half after this many", Source: learned,
		},
		{
			Name: "recall.myelin_cap", Unit: "myelin", Default: 0.5, Min: 0, Max: 1, value: ratio(&r.MyelinCap),
			Meaning: "myelin beyond this adds no confidence", Source: clue,
		},
		{
			Name: "recall.myelin_bonus", Unit: "factor", Default: 0.3, Min: 0, Max: 1, value: ratio(&r.MyelinBonus),
			Meaning: "what myelin adds to confidence", Source: clue,
		},
		{
			Name: "recall.recency_hours", Unit: "hours", Default: 168, Min: 1, Max: 8760, value: ratio(&r.RecencyHours),
			Meaning: "an access this long ago adds no confidence any more", Source: clue,
		},
		{
			Name: "recall.recency_bonus", Unit: "factor", Default: 0.2, Min: 0, Max: 1, value: ratio(&r.RecencyBonus),
			Meaning: "what an access just now adds to confidence", Source: clue,
		},
		{
			Name: "recall.path_bonus", Unit: "factor", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.PathBonus),
			Meaning: "what words in the path add to confidence", Source: clue,
		},
		{
			Name: "recall.stem_floor", Unit: "share", Default: 0.5, Min: 0, Max: 1, value: ratio(&r.StemFloor),
			Meaning: "the least context of a file whose stem the question names", Source: clue,
		},
		{
			Name: "recall.stem_clue", Unit: "factor", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.StemClue),
			Meaning: "what that adds to confidence", Source: clue,
		},
		{
			Name: "recall.source_bonus", Unit: "factor", Default: 0.3, Min: 0, Max: 1, value: ratio(&r.SourceBonus),
			Meaning: "what being source text adds to confidence", Source: clue,
		},
		{
			Name: "recall.doc_malus", Unit: "factor", Default: 0.15, Min: 0, Max: 1, value: ratio(&r.DocMalus),
			Meaning: "what being documentation takes from confidence", Source: clue,
		},
		{
			Name: "recall.consensus_factor", Unit: "factor", Default: 1.15, Min: 1, Max: 2, value: ratio(&r.ConsensusFactor),
			Meaning: "two sources that name the same file make this much surer than the surer one", Source: clue,
		},
		{
			Name: "recall.episodic_within", Unit: "days", Default: 7, Min: 1, Max: 365, value: duration{&r.EpisodicWithin, 24 * time.Hour},
			Meaning: "sessions this recent are remembered one by one", Source: clue,
		},
		{
			Name: "recall.episodic_full", Unit: "sessions", Default: 5, Min: 1, Max: 100, value: scaled[int]{&r.EpisodicFull, 1},
			Meaning: "sessions that opened a file for the same words make certain", Source: clue,
		},
		{
			Name: "recall.episodic_gate", Unit: "confidence", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.EpisodicGate),
			Meaning: "what recent sessions say is shown from here on", Source: clue,
		},
		{
			Name: "recall.fix_weight", Unit: "weight", Default: 0.3, Min: 0, Max: 1, value: ratio(&r.FixWeight),
			Meaning: "a link from an error weaker than this says nothing of its fix", Source: clue,
		},
		{
			Name: "recall.fix_gate", Unit: "confidence", Default: 0.4, Min: 0, Max: 1, value: ratio(&r.FixGate),
			Meaning: "a fix is shown from here on", Source: clue,
		},
		{
			Name: "recall.young_past", Unit: "episodes", Default: 50, Min: 0, Max: 10000, value: scaled[int]{&r.YoungPast, 1},
			Meaning: "with fewer commits and sessions a file's own clues say how sure an answer is", Source: learned,
		},
		{
			Name: "recall.answers", Unit: "files", Default: 50, Min: 1, Max: 1000, value: scaled[int]{&r.Answers, 1},
			Meaning: "answers weighed to the end for one question", Source: "a question shows ten at most",
		},
		{
			Name: "recall.open_files", Unit: "files", Default: 4, Min: 1, Max: 50, value: scaled[int]{&r.OpenFiles, 1},
			Meaning: "latest files of a session that a question takes along", Source: learned,
		},
		{
			Name: "recall.open_touches", Unit: "touches", Default: 200, Min: 1, Max: 10000, value: scaled[int]{&r.OpenTouches, 1},
			Meaning: "latest touches of a session these are found in; the others are no answers", Source: "an agent re-reads more than half of the time",
		},
		{
			Name: "recall.wired_links", Unit: "links", Default: 50, Min: 1, Max: 1000, value: scaled[int]{&r.WiredLinks, 1},
			Meaning: "strongest links of an open file or error that are followed", Source: "plasticity.fan_cap",
		},
		{
			Name: "recall.links_rank", Unit: "switch", Default: 0, Min: 0, Max: 1, value: scaled[int]{&r.LinksRank, 1},
			Meaning: "1 lets the learned weights between open files and others take part in ranking",
			Source:  "hebb bench ablate: they add nothing to what the sessions themselves say",
		},
		{
			Name: "recall.evidence_shown", Unit: "episodes", Default: 3, Min: 0, Max: 100, value: scaled[int]{&r.EvidenceShown, 1},
			Meaning: "commits and sessions that --explain names for an answer", Source: "what fits on a screen",
		},
		{
			Name: "recall.often", Unit: "items", Default: 3000, Min: 100, Max: 10000000, value: ratio(&r.Often),
			Meaning: "a word that more files or commits have than this leads only to the latest of them", Source: speed,
		},
		{
			Name: "recall.placed", Unit: "files", Default: 100, Min: 10, Max: 10000, value: ratio(&r.Placed),
			Meaning: "files that have a place in the list of a kind of evidence", Source: learned,
		},
		{
			Name: "recall.place_scale", Unit: "places", Default: 10, Min: 1, Max: 1000, value: ratio(&r.PlaceScale),
			Meaning: "the place at which being listed counts half", Source: learned,
		},
		{
			Name: "recall.offers", Unit: "files", Default: 60, Min: 5, Max: 1000, value: ratio(&r.Offers),
			Meaning: "files each kind of evidence brings in", Source: learned,
		},
		{
			Name: "recall.spread_from", Unit: "files", Default: 10, Min: 0, Max: 100, value: ratio(&r.SpreadFrom),
			Meaning: "best answers that excite their company", Source: learned,
		},
		{
			Name: "recall.spread_floor", Unit: "share", Default: 0.05, Min: 0, Max: 1, value: ratio(&r.SpreadFloor),
			Meaning: "an answer this much weaker than the best excites nothing", Source: learned,
		},
		{
			Name: "recall.spread_episodes", Unit: "episodes", Default: 100, Min: 1, Max: 10000, value: ratio(&r.SpreadEpisodes),
			Meaning: "latest episodes of an answer that count for its company", Source: learned,
		},
	}
}

// learned is the source of numbers that were chosen by what they do to the ranking of real histories.
const learned = "hebb bench replay"

// speed is the source of numbers that were chosen by what they do to the time an answer takes.
const speed = "hebb bench recall"

// clue is the source of the numbers of confidence without a history.
const clue = "test vectors of the design"
