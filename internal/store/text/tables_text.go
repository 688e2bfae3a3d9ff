package text

import "github.com/hebb-memory/hebb/internal/store/db"

var (
	CheckedMemory = &db.Table{Name: "memory", Key: 1, Fields: `id project_id kind name text origin subject importance valence lifecycle source session_id heard parents said_at valid_to
		last_at accesses gap_hours unsure marks more hash`}
	checkedAnchor = &db.Table{Name: "anchor", Key: 3, Fields: `crystal_id path symbol project_id commit_id hash at_hand`}
	CheckedSource = &db.Table{Name: "source", Key: 2, Fields: `project_id path size modified hash skipped`}
	CheckedAudit  = &db.Table{Name: "audit", Key: 1, Fields: `id crystal_id at what detail`}
	CheckedFact   = &db.Table{Name: "fact", Key: 3, Fields: `name project_id subject value at`}

	// Tables are those of this package.
	Tables = []*db.Table{CheckedFact, CheckedSource, CheckedAudit, CheckedMemory, checkedAnchor}
)
