package main

import "testing"

// TestPictures goes through every page in both schemes of colours and in four widths. With HEBB_PICTURES it leaves pictures there.
func TestPictures(t *testing.T) {
	m := seed(t)
	b := browse(t, m.serve())
	for _, p := range []struct{ name, where, shows string }{
		{"shown", "shown", "Proved right"},
		{"memories", "memories", "Session cookies expire"},
		{"sessions", "sessions", "Files by session"},
		{"try", "try?prompt=The+login+redirect+loses+the+query+string", "What the agent would read"},
		{"file", "file?path=web/login.go", "Belongs with"},
		{"state", "sessions?view=state", "MEMORY.md"},
	} {
		b.to(p.where)
		b.shows(p.shows)
		for _, scheme := range []string{"light", "dark"} {
			b.look(1280, 860, scheme)
			b.settled()
			b.picture(p.name + "-" + scheme)
		}
		b.look(375, 760, "light")
		b.settled()
		if wide := value[int](b, "document.documentElement.scrollWidth"); wide > 375 {
			t.Errorf("%s is %d pixels wide at 375", p.name, wide)
		}
		b.picture(p.name + "-375")
		b.look(2560, 1300, "light")
		b.settled()
		b.picture(p.name + "-2560")
	}
}
