package state

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// BenchmarkRewrite dreams by rules over ten thousand crystals, guards included, the searches left out.
func BenchmarkRewrite(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	m := realistic()
	for i := range 10000 {
		m.Crystals = append(m.Crystals, memory.Crystal{
			ID: memory.CrystalID(fmt.Sprintf("x%05d", i)), Text: world(random, 30), Kind: memory.Episode, Importance: random.Float64(), Origin: memory.OriginAgent,
			SaidAt: m.Now.Add(-time.Duration(random.IntN(5000)) * time.Hour), Lifecycle: memory.Activated,
		})
	}
	for range 20 {
		c := m.Crystals[random.IntN(len(m.Crystals))]
		m.Old.Sections[SectionActive] += "\n- " + c.Text
	}
	all := []memory.CrystalID{}
	for _, c := range m.Crystals {
		all = append(all, c.ID)
	}
	m.Finds = func(string) []memory.CrystalID { return all[:1] }
	b.ReportAllocs()
	for b.Loop() {
		p := Rewrite(m)
		if v := Judge(m.Old, p.New, m.Sources()); v.Err() != nil {
			b.Fatal(v.Err())
		}
	}
}
