package braintest

import (
	"bytes"
	"strings"

	"github.com/hebb-memory/hebb/internal/inspect"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/transfer"
)

func (l *Lab) Exported() string {
	l.T.Helper()
	var out bytes.Buffer
	must.Get(transfer.Export(l.T.Context(), l.Store, &out))(l.T)
	return out.String()
}

func (l *Lab) Imports(text string, mine bool) {
	l.T.Helper()
	must.Get(transfer.Import(l.T.Context(), l.Brain, transfer.ImportInput{From: strings.NewReader(text), Mine: mine}))(l.T)
}

func (l *Lab) ProjectNow() memory.Project {
	l.T.Helper()
	projects, err := steward.Run(l.T.Context(), l.Brain, inspect.Projects, struct{}{})
	if err != nil || len(projects) == 0 {
		l.T.Fatalf("%d projects, %v", len(projects), err)
	}
	for _, p := range projects {
		if p.Identity == l.Place.Identity {
			return p.Project
		}
	}
	l.T.Fatalf("no project %s", l.Place.Identity)
	return memory.Project{}
}
