package braintest

import (
	"fmt"

	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/ranking"
	"github.com/hebb-memory/hebb/internal/record"
	"github.com/hebb-memory/hebb/internal/store"
)

func (l *Lab) WordCommits(from, to int) {
	l.T.Helper()
	said := [][]string{{"till", "cash", "drawer"}, {"door", "hinge", "lock"}}
	files := []string{"shop/register.go", "house/entrance.go"}
	for n := from; n < to; n++ {
		words := said[n%2]
		l.Commits([]string{fmt.Sprint(words[n/2%3], " ", words[(n/2+1)%3]), files[n%2]})
	}
}

func (l *Lab) LearnWords() bool {
	l.T.Helper()
	return Must(l, ranking.Learn, ranking.Input{Project: l.Place.Project()})
}

// MeaningOf is the table as a fresh process finds it.
func (l *Lab) MeaningOf() *record.WordSense {
	l.T.Helper()
	var m *record.WordSense
	must.Do(l.T, l.Store.View(l.T.Context(), func(tx *store.Tx) error {
		p, err := record.Pasts(l.Brain).Read(l.T.Context(), tx, l.Place.Project(), "")
		m = p.Meaning
		return err
	}))
	return m
}
