package store

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/plasticity"
)

// Links that the first versions forgot are written by the names of their fields, and can still be brought back.
func TestAForgottenLinkIsReadInBothForms(t *testing.T) {
	at := time.Date(2026, time.March, 4, 5, 6, 7, 8e6, time.UTC)
	waiting := Synapse{A: 5, B: 9, Project: 3, Origin: memory.OriginAgent, Link: plasticity.Link{
		AB: 403.43595497740944, BA: plasticity.Nothing, CoAccesses: 3, CoSessions: 2, TaggedAt: at, LastAt: at.Add(time.Hour),
		LastEvent: "4zrgmbj0pvgqcape4s730c2e8f", Session: 77, SessionGain: .25, Day: 20100, DayGain: .125,
	}}
	plain := waiting
	plain.TaggedAt, plain.Session = time.Time{}, 0
	for _, s := range []Synapse{waiting, plain} {
		named := must.Get(json.Marshal(s))(t)
		short := must.Get(whole(&s))(t)
		for _, data := range [][]byte{named, short} {
			g := Gone{A: 5, B: 9, Project: 3}
			if err := g.read(string(data)); err != nil || *g.Synapse != s {
				t.Errorf("%s: got %+v, %v, want %+v", data, g.Synapse, err, s)
			}
		}
		if 2*len(short) > len(named) {
			t.Errorf("%s is not half as long as %s", short, named)
		}
	}
	g := Gone{A: 5, B: 9}
	if err := g.read(`["agent",1,2]`); err == nil {
		t.Error("a list that ends early was read")
	}
}
