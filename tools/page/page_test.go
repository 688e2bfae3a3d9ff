package main

import "testing"

// TestPictures goes through every page in both schemes of colours and in four widths. With HEBB_PICTURES it leaves pictures there.
func TestPictures(t *testing.T) {
	m := seed(t)
	redirect := m.id("The login redirect must keep")
	b := browse(t, m.serve())
	b.press("h")
	b.shows("Last sleep")
	b.settled()
	b.picture("health")
	b.press("\x1b")
	b.press("?")
	b.shows("search memories")
	b.picture("keys")
	b.press("\x1b")
	for _, p := range []struct{ name, where, shows string }{
		{"shown", "shown", "Proved right"},
		{"memories", "memories", "Session cookies expire"},
		{"sessions", "sessions", "Files by session"},
		{"try", "try?prompt=The+login+redirect+loses+the+query+string", "What the agent would read"},
		{"file", "file?path=web/login.go", "Belongs with"},
		{"state", "sessions?view=state", "MEMORY.md"},
		{"memory", "memories?open=" + redirect, "Where it comes from"},
		{"session", "sessions?session=" + m.run("run-26"), "MEMORY.md of that day"},
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
