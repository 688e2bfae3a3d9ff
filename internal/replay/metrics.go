package replay

import "slices"

// Mark is how well one ranker answered one question. All values lie between 0 and 1.
type Mark struct {
	Question string  `json:"question"` // Question.ID, to pair the marks of two rankers or two runs
	R5       float64 `json:"r5"`       // share of the wanted files among the first 5
	R10      float64 `json:"r10"`
	AP       float64 `json:"ap"` // mean over the wanted files of the precision at their rank, 0 for one not found
	RR       float64 `json:"rr"` // 1 / rank of the first wanted file
}

// Grade marks a ranking. Banned paths are taken out of it; a path named twice takes two places and counts once.
func Grade(question string, ranking Ranking, gold, banned []string) Mark {
	m := Mark{Question: question}
	var found []string
	rank := 0
	for _, path := range ranking.Paths {
		wanted := slices.Contains(gold, path)
		if !wanted && slices.Contains(banned, path) {
			continue
		}
		rank++
		if !wanted || slices.Contains(found, path) {
			continue
		}
		found = append(found, path)
		m.AP += float64(len(found)) / float64(rank)
		if len(found) == 1 {
			m.RR = 1 / float64(rank)
		}
		if rank <= 5 {
			m.R5++
		}
		if rank <= 10 {
			m.R10++
		}
		if len(found) == len(gold) {
			break
		}
	}
	n := float64(len(gold))
	m.R5, m.R10, m.AP = m.R5/n, m.R10/n, m.AP/n
	return m
}

// Series holds the marks of one ranker for one task in one repository, in the order of the questions.
type Series struct {
	Task   string `json:"task"`
	Repo   string `json:"repo"`
	Ranker string `json:"ranker"`
	Marks  []Mark `json:"marks"`
}

// Mean returns the mean of a value in percent.
func (s Series) Mean(value func(Mark) float64) float64 {
	sum := 0.0
	for _, m := range s.Marks {
		sum += value(m)
	}
	return 100 * sum / float64(len(s.Marks))
}

// Results are the marks of a run.
type Results []Series

// add appends a mark to the series of the same task and ranker.
func (r *Results) add(to Series, m Mark) {
	at := slices.IndexFunc(*r, func(s Series) bool { return s.Task == to.Task && s.Ranker == to.Ranker })
	if at < 0 {
		at = len(*r)
		*r = append(*r, to)
	}
	(*r)[at].Marks = append((*r)[at].Marks, m)
}
