package views

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"testing"
)

func TestACopyThatAnEditorHasOpenIsNeverRemoved(t *testing.T) {
	t.Parallel()
	v, clock := newVault(t)
	replace(t, v, view1, "", "one", true)
	editor, err := os.OpenFile(v.file(view1), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer editor.Close()
	replace(t, v, view1, "one", "two", true)
	clock.pass(100 * v.Grace)
	expect(t, v, "two", "two", "")
	must.Get(editor.WriteString("+late"))(t)
	done(t, expect(t, v, "two", "two", "one+late<one"))
	clock.pass(100 * v.Grace)
	expect(t, v, "two", "two", "")
	if len(private(t, v)) == 0 {
		t.Error("removed while it was open")
	}
	editor.Close()
	reader, err := os.Open(v.file(view1)) // readers do not matter
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	expect(t, v, "two", "two", "")
	if files := private(t, v); len(files) != 0 {
		t.Errorf("left: %v", files)
	}
}
