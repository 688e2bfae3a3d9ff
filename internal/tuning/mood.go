package tuning

import "time"

// Mood says how moods rise and fall, and what follows from them.
type Mood struct {
	RewardRest float64 // levels to which a mood returns
	StressRest float64
	BondRest   float64
	RewardHalf time.Duration // in which half of the way back is gone
	StressHalf time.Duration
	BondHalf   time.Duration

	SpikeReward        float64 // what an event adds
	SpikeError         float64
	SpikeSocial        float64
	SpikeAchievement   float64
	SpikeAchieveBond   float64
	SpikeUrgency       float64
	SpikeCuriosity     float64
	SpikeProgress      float64
	SpikeAligned       float64
	SpikeStagnant      float64
	SpikeBonding       float64
	SpikeBondingReward float64
	SpikeSale          float64
	SpikeSaleBond      float64
	SpikeRecall        float64

	High     float64 // above this a level has its strong word
	Raised   float64 // above this its weak one
	Dormant  float64 // all below this: dormant
	Balanced float64 // levels closer together than this pull nowhere
	Dominant float64 // from this on a level can rule
	Beside   float64 // and so does another that is this close to it

	ResistStress float64 // how far each level keeps feelings from fading
	ResistReward float64
	ResistBond   float64
	ResistMost   float64
	MergeBase    float64 // likeness at which two crystals are one
	MergeStress  float64 // that full stress adds

	NoteAbove      float64       // an event that lifts a level above this writes a note
	NoteCooldown   time.Duration // between two of those
	NoteImportance float64
	NoteAbout      int // characters of the cause that such a note quotes
	TextEnds       int // characters at each end of a long text in which feelings are looked for
}

func (m *Mood) entries() []Entry {
	const (
		seed   = "hormones as they were designed"
		spikes = "table of spikes as it was designed"
		words  = "mood words as they were designed"
		dream  = "attention of the dream as it was designed"
		keeps  = "consolidation as it was designed"
		note   = "automatic notes as they were designed"
	)
	minutes := func(f *time.Duration) number { return duration{f, time.Minute} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	ratio := func(f *float64) number { return fraction{f} }
	level := func(name string, f *float64, value float64, meaning, source string) Entry {
		return Entry{Name: "mood." + name, Unit: "level", Default: value, Min: 0, Max: 1, value: ratio(f), Meaning: meaning, Source: source}
	}
	half := func(name string, f *time.Duration, value float64, meaning string) Entry {
		return Entry{
			Name: "mood." + name, Unit: "min", Default: value, Min: 1, Max: 10080, value: minutes(f),
			Meaning: meaning, Source: seed,
		}
	}
	return []Entry{
		level("reward_rest", &m.RewardRest, 0.15, "reward (dopamine) returns to this", seed),
		level("stress_rest", &m.StressRest, 0.02, "stress (cortisol) returns to this", seed),
		level("bond_rest", &m.BondRest, 0.2, "bond (oxytocin) returns to this", seed),
		half("reward_half", &m.RewardHalf, 30, "in this time reward goes half of the way back to rest"),
		half("stress_half", &m.StressHalf, 60, "likewise stress"),
		half("bond_half", &m.BondHalf, 45, "likewise bond"),

		level("spike_reward", &m.SpikeReward, 0.3, "reward that praise or a commit gives", spikes),
		level("spike_error", &m.SpikeError, 0.3, "stress that a failure or a complaint gives", spikes),
		level("spike_social", &m.SpikeSocial, 0.3, "bond that thanks give", spikes),
		level("spike_achievement", &m.SpikeAchievement, 0.4, "reward that a solved problem gives", spikes),
		level("spike_achievement_bond", &m.SpikeAchieveBond, 0.2, "and the bond it gives", spikes),
		level("spike_urgency", &m.SpikeUrgency, 0.4, "stress that haste gives", spikes),
		level("spike_curiosity", &m.SpikeCuriosity, 0.25, "reward that curiosity gives", spikes),
		level("spike_progress", &m.SpikeProgress, 0.2, "reward that a step forward gives, such as tests that pass", spikes),
		level("spike_aligned", &m.SpikeAligned, 0.1, "reward that agreement gives", spikes),
		level("spike_stagnant", &m.SpikeStagnant, 0.15, "stress that going in circles gives", spikes),
		level("spike_bonding", &m.SpikeBonding, 0.25, "bond that a word of trust gives", spikes),
		level("spike_bonding_reward", &m.SpikeBondingReward, 0.1, "and the reward it gives", spikes),
		level("spike_sale", &m.SpikeSale, 0.15, "reward that an earning in the ledger gives", spikes),
		level("spike_sale_bond", &m.SpikeSaleBond, 0.05, "and the bond it gives", spikes),
		level("spike_recall", &m.SpikeRecall, 0.05, "what recalling a memory of strong feeling adds to the same feeling", spikes),

		level("high", &m.High, 0.6, "above this the mood is energized, stressed or deeply connected", words),
		level("raised", &m.Raised, 0.3, "above this it is motivated, alert or socially engaged", words),
		level("dormant", &m.Dormant, 0.1, "with all levels below this it is dormant", words),
		level("balanced", &m.Balanced, 0.15, "levels that differ by less pull the dream to no side", dream),
		level("dominant", &m.Dominant, 0.6, "from this on the highest level rules what the dream keeps", dream),
		level("beside", &m.Beside, 0.1, "and with it each that is this close to the highest", dream),

		level("resist_stress", &m.ResistStress, 0.3, "how far full stress keeps what was felt from fading", keeps),
		level("resist_reward", &m.ResistReward, 0.2, "likewise reward", keeps),
		level("resist_bond", &m.ResistBond, 0.2, "likewise bond", keeps),
		level("resist_most", &m.ResistMost, 0.5, "all of them together, at most", keeps),
		{
			Name: "mood.merge_base", Unit: "cosine", Default: 0.92, Min: 0, Max: 1, value: ratio(&m.MergeBase),
			Meaning: "likeness from which two memories are one, without stress", Source: keeps,
		},
		{
			Name: "mood.merge_stress", Unit: "cosine", Default: 0.03, Min: 0, Max: 1, value: ratio(&m.MergeStress),
			Meaning: "what full stress adds, so that details are kept", Source: keeps,
		},

		level("note_above", &m.NoteAbove, 0.7, "an event that lifts a level above this writes a note by itself", note),
		{
			Name: "mood.note_cooldown", Unit: "min", Default: 15, Min: 0, Max: 10080, value: minutes(&m.NoteCooldown),
			Meaning: "but not sooner after the last", Source: note,
		},
		{
			Name: "mood.note_importance", Unit: "importance", Default: 0.8, Min: 0, Max: 1, value: ratio(&m.NoteImportance),
			Meaning: "of such a note", Source: note,
		},
		{
			Name: "mood.note_about", Unit: "characters", Default: 120, Min: 0, Max: 1000, value: count(&m.NoteAbout),
			Meaning: "that such a note quotes of its cause", Source: "one line",
		},
		{
			Name: "mood.text_ends", Unit: "characters", Default: 600, Min: 50, Max: 100000, value: count(&m.TextEnds),
			Meaning: "at each end of a long prompt in which feelings are looked for", Source: "what is between is mostly pasted",
		},
	}
}
