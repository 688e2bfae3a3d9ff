package said

import "testing"

func TestShows(t *testing.T) {
	for _, c := range []struct {
		text, said string
		want       bool
	}{
		{"- user, 3 Nov: “migrations need a rollback script”\n", "migrations need a rollback script", true},
		{"- user, 3 Nov: “migrations need a rollback”\n- rollback script (80 %)", "migrations need a rollback script", true},
		{"- user, 3 Nov: “migrations are fun”\n", "migrations need a rollback script", false},
		{"", "migrations need a rollback script", false},
	} {
		if got := shows(c.text, c.said); got != c.want {
			t.Errorf("shows(%q, %q) = %v", c.text, c.said, got)
		}
	}
}
