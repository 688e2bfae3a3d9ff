package brain

import (
	"context"
	"errors"
	"reflect"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/scrub"
	"github.com/hebb-memory/hebb/internal/store"
)

// Run runs an operation for a person or an agent, and does with the files for people what the operation asks for. Problems with
// those are warnings where the result has any; what was said is kept all the same.
func Run[In, Out any](ctx context.Context, b *Brain, op Operation[In, Out], in In) (out Out, err error) {
	var warnings []string
	if op.Files&ReadFiles != 0 {
		report, err := b.refreshViews(ctx, nil)
		if err != nil {
			return out, err
		}
		warnings = report.Warnings
	}
	if out, err = op.Run(ctx, b, in); err == nil && op.Files&(WriteFiles|WriteAllFiles|WriteNotes) != 0 {
		report, failed := b.writeFiles(ctx, op.Files, in, out)
		warnings = append(warnings, report.Warnings...)
		switch {
		case failed == nil, errors.Is(failed, memory.ErrBusy): // the next drain writes them
		case canWarn(out):
			warnings = append(warnings, scrub.Line(failed.Error()))
		default:
			err = failed
		}
	}
	warn(&out, warnings)
	return out, err
}

// writeFiles writes files for people after an operation on the project that its result or its input names.
func (b *Brain) writeFiles(ctx context.Context, use FileUse, in, out any) (ViewsReport, error) {
	var project memory.ProjectID
	if at, ok := out.(interface{ InProject() memory.ProjectID }); ok {
		project = at.InProject()
	} else if at, ok := in.(interface{ Chosen() Scope }); ok {
		var err error
		project, err = viewed(ctx, b, func(tx *store.Tx) (memory.ProjectID, error) { return b.resolve(ctx, tx, at.Chosen()) })
		if err != nil {
			return ViewsReport{}, err
		}
	}
	switch {
	case use&WriteNotes != 0:
		return b.refreshScratch(ctx, project)
	case use&WriteAllFiles != 0 && project != 0:
		if _, err := b.folders(ctx, []memory.ProjectID{project}); err != nil { // it may have no files yet
			return ViewsReport{}, err
		}
		return b.refreshViews(ctx, nil)
	case project == 0:
		return b.refreshViews(ctx, nil)
	}
	return b.refreshViews(ctx, []memory.ProjectID{project})
}

// canWarn reports whether a result has room for warnings.
func canWarn(out any) bool { return warningsOf(reflect.ValueOf(out)).IsValid() }

// warn adds warnings to a result that has room for them.
func warn[Out any](out *Out, warnings []string) {
	if field := warningsOf(reflect.ValueOf(out).Elem()); field.IsValid() && len(warnings) > 0 {
		field.Set(reflect.AppendSlice(field, reflect.ValueOf(warnings)))
	}
}

func warningsOf(out reflect.Value) (field reflect.Value) {
	if out.Kind() == reflect.Struct {
		if field = out.FieldByName("Warnings"); field.IsValid() && field.Type() == reflect.TypeFor[[]string]() {
			return field
		}
	}
	return reflect.Value{}
}
