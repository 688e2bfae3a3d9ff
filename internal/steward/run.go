package steward

import (
	"context"
	"errors"
	"reflect"

	"github.com/hebb-memory/hebb/internal/brain"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
	"github.com/hebb-memory/hebb/internal/views"
)

// Run runs an operation for a person or an agent, and reads or writes the files for people as the
// operation declares. Problems with the files are warnings if the result has a field for them.
func Run[In, Out any](ctx context.Context, b *brain.Brain, op brain.Operation[In, Out], in In) (out Out, err error) {
	err = run(ctx, b, op.Files, in, &out, func() (err error) {
		out, err = op.Run(ctx, b, in)
		return err
	})
	return out, err
}

// run is Run for all types. out points to the result of the operation.
func run(ctx context.Context, b *brain.Brain, use brain.FileUse, in, out any, operation func() error) error {
	if at, ok := in.(interface{ Chosen() brain.Scope }); ok {
		_ = b.Recognise(ctx, at.Chosen().Dir) // what it could not find out is a project without memories
	}
	var warnings []string
	if use&brain.ReadFiles != 0 {
		report, err := views.RefreshViews(ctx, b, nil)
		if err != nil {
			return err
		}
		warnings = report.Warnings
	}
	err := operation()
	field := warningsOf(reflect.ValueOf(out).Elem())
	if err == nil && use&(brain.WriteFiles|brain.WriteAllFiles) != 0 {
		report, failed := writeFiles(ctx, b, use, in, out)
		warnings = append(warnings, report.Warnings...)
		switch {
		case failed == nil, errors.Is(failed, memory.ErrBusy): // the next drain writes them
		case field.IsValid():
			warnings = append(warnings, scrub.Line(failed.Error()))
		default:
			err = failed
		}
	}
	if field.IsValid() && len(warnings) > 0 {
		field.Set(reflect.AppendSlice(field, reflect.ValueOf(warnings)))
	}
	return err
}

// writeFiles writes files for people after an operation on the project that its result or its input
// names.
func writeFiles(ctx context.Context, b *brain.Brain, use brain.FileUse, in, out any) (views.ViewsReport, error) {
	var project memory.ProjectID
	if at, ok := out.(interface{ InProject() memory.ProjectID }); ok {
		project = at.InProject()
	} else if at, ok := in.(interface{ Chosen() brain.Scope }); ok {
		var err error
		project, err = brain.View(ctx, b.Store, func(tx *store.Tx) (memory.ProjectID, error) { return brain.Resolve(ctx, tx, b.Config, at.Chosen()) })
		if err != nil {
			return views.ViewsReport{}, err
		}
	}
	projects := []memory.ProjectID{project}
	if project != 0 && use&brain.WriteAllFiles != 0 {
		if _, err := views.Folders(ctx, b.Store, projects); err != nil { // it may have none yet
			return views.ViewsReport{}, err
		}
	}
	if project == 0 || use&brain.WriteAllFiles != 0 {
		projects = nil
	}
	return views.RefreshViews(ctx, b, projects)
}

// warningsOf is the field of a result for warnings, if it has one.
func warningsOf(out reflect.Value) (field reflect.Value) {
	if out.Kind() == reflect.Struct {
		if field = out.FieldByName("Warnings"); field.IsValid() && field.Type() == reflect.TypeFor[[]string]() {
			return field
		}
	}
	return reflect.Value{}
}
