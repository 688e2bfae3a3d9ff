package sleep

import (
	"time"

	"github.com/hebb-memory/hebb/internal/goals"
	"github.com/hebb-memory/hebb/internal/plasticity"
)

// CrystalReport counts what became of texts.
type CrystalReport struct {
	Merged  int64 `json:"merged"`  // into one that says the same
	Expired int64 `json:"expired"` // softly: found only when asked for
	Grown   int64 `json:"grown"`   // to the next stage of their life
}

// BudgetReport counts what was forgotten because the store was too large.
type BudgetReport struct {
	Bytes    int64 `json:"bytes"`
	Limit    int64 `json:"limit"`
	Sessions int64 `json:"sessions"` // forgotten, the oldest first
	Events   int64 `json:"events"`
}

// SleepPart is a part of sleep that can be asked for alone.
type SleepPart string

// SleepReport says what a sleep did, or would do.
type SleepReport struct {
	ID            int64                `json:"id,omitempty"`
	At            time.Time            `json:"at"`
	Why           string               `json:"why"`
	Dry           bool                 `json:"dry,omitempty"`
	Links         int64                `json:"links"`   // looked at
	Neurons       int64                `json:"neurons"` // likewise
	Decay         DecayReport          `json:"decay"`
	Homeostasis   HomeostasisReport    `json:"homeostasis"`
	Consolidation ConsolidationReport  `json:"consolidation"`
	Crystals      CrystalReport        `json:"crystals"`
	Thinking      goals.ThinkingReport `json:"thinking"`
	Budget        *BudgetReport        `json:"budget,omitempty"`
	// Took says how long each part took, in milliseconds.
	Took map[SleepPart]float64 `json:"took_ms"`
	// Busy says that another process is asleep; nothing was done.
	Busy bool `json:"busy,omitempty"`
}

// DecayReport counts what was forgotten. Nothing else is written: fading changes no row.
type DecayReport struct {
	PrunedSynapses int64 `json:"pruned_synapses"`
	PrunedNeurons  int64 `json:"pruned_neurons"`
	PrunedOrphans  int64 `json:"pruned_orphans"`         // of these, without a single link left
	NoiseBridges   int64 `json:"weakened_noise_bridges"` // on their way out: nothing is written of them either
	// Reasons counts what went by why, Examples names some of it.
	Reasons  map[plasticity.Reason]int64 `json:"reasons,omitempty"`
	Examples []Example                   `json:"examples,omitempty"`
}

// Example is something that went: a file or error, or two that were linked.
type Example struct {
	What []string          `json:"what"`
	Why  plasticity.Reason `json:"why"`
}

// HomeostasisReport says what was brought back into balance. Each project is scaled separately; factors and means are those of
// the project that was scaled most or, where none was, of the one with the highest mean.
type HomeostasisReport struct {
	MyelinScaled      bool    `json:"myelin_scaled"`
	MyelinScaleFactor float64 `json:"myelin_scale_factor"`
	WeightScaled      bool    `json:"weight_scaled"`
	WeightScaleFactor float64 `json:"weight_scale_factor"`
	MeanMyelin        float64 `json:"mean_myelin"` // before
	MeanWeight        float64 `json:"mean_weight"`
	NeuronsDampened   int64   `json:"neurons_dampened"`
	NeuronsBoosted    int64   `json:"neurons_boosted"`
	TagsExpired       int64   `json:"tags_expired"`
}

// ConsolidationReport counts what was replayed and found.
type ConsolidationReport struct {
	SessionsReplayed     int64 `json:"sessions_replayed"`
	SynapsesStrengthened int64 `json:"synapses_strengthened"`
	NeuronsReviewed      int64 `json:"neurons_reviewed"`
	NeuronsForgotten     int64 `json:"neurons_forgotten"` // missed their reviews
	PatternsDiscovered   int64 `json:"patterns_discovered"`
	TemporalPairsFound   int64 `json:"temporal_pairs_found"`
	DirectionalBoosts    int64 `json:"directional_boosts"`
	TripletsFound        int64 `json:"triplets_found"`
	CallsPacked          int64 `json:"calls_packed"`
}

// Changed reports whether anything came of it.
func (r SleepReport) Changed() bool {
	h := r.Homeostasis
	return r.Decay.PrunedSynapses+r.Decay.PrunedNeurons+h.NeuronsDampened+h.NeuronsBoosted+h.TagsExpired > 0 ||
		h.MyelinScaled || h.WeightScaled || r.Budget != nil || r.Consolidation != (ConsolidationReport{}) || r.Crystals != (CrystalReport{}) || r.Thinking.Connections > 0
}

const (
	DecayPart       SleepPart = "decay"
	BalancePart     SleepPart = "homeostasis"
	ConsolidatePart SleepPart = "consolidation"
	CrystalPart     SleepPart = "crystals"
	ThinkPart       SleepPart = "thinking"
)
