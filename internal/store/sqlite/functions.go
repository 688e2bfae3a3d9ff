package sqlite

import (
	"database/sql/driver"
	"fmt"
	"sync"

	engine "modernc.org/sqlite"

	"github.com/hebb-memory/hebb/internal/memory"
)

// functions are what migrations need of package memory: derived_id (kind, project, parts…) and derived_hash (project, kind, text).
var functions = sync.OnceFunc(func() {
	engine.MustRegisterDeterministicScalarFunction("derived_id", -1, func(_ *engine.FunctionContext, args []driver.Value) (driver.Value, error) {
		var parts []string
		for _, part := range args[2:] {
			parts = append(parts, fmt.Sprint(part))
		}
		return string(memory.DerivedID(memory.CrystalKind(fmt.Sprint(args[0])), projectOf(args[1]), parts...)), nil
	})
	engine.MustRegisterDeterministicScalarFunction("derived_hash", 3, func(_ *engine.FunctionContext, args []driver.Value) (driver.Value, error) {
		return memory.Memory{Project: projectOf(args[0]), Kind: memory.CrystalKind(fmt.Sprint(args[1])), Text: fmt.Sprint(args[2])}.Hash(), nil
	})
})

func projectOf(v driver.Value) memory.ProjectID {
	id, _ := v.(int64)
	return memory.ProjectID(id)
}
