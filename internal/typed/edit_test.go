package typed

import "testing"

func TestWhoseEditItIs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what string
		edit Edit
		want Editor
	}{
		{"no agent was there", Edit{}, ByPerson},
		{"an editor that the person opened", Edit{Asked: true}, ByPerson},
		{"the same while an agent works, after it changed the file", Edit{Asked: true, Open: true, Reported: true}, ByPerson},
		{"an agent's own edit", Edit{Open: true, Reported: true}, ByAgent},
		{"an agent's own edit, its session over since", Edit{Reported: true}, ByAgent},
		{"somebody, while an agent was there", Edit{Open: true}, ByEither},
	} {
		if got := c.edit.By(); got != c.want {
			t.Errorf("%s: %+v is by %q, want %q", c.what, c.edit, got, c.want)
		}
	}
}
