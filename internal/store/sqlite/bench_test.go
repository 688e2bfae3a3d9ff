package sqlite

import (
	"github.com/hebb-memory/hebb/internal/must"
	"path/filepath"
	"testing"
)

// BenchmarkInsertEvent stores batches of 500 events with two touches each, one transaction a batch, the way a drain
// does: project, session, number, event. The time is for one event.
func BenchmarkInsertEvent(b *testing.B) {
	const batch = 500
	s := must.Get(Open(b.Context(), testOptions(filepath.Join(b.TempDir(), "hebb.db"))))(b)
	defer closeQuietly(s)
	b.ReportAllocs()
	b.ResetTimer()
	for n := 0; n < b.N; n += batch {
		must.Do(b, add(b, s, n, n+batch))
	}
}
