package memory

import "testing"

func TestOneRepositoryHasOneRemote(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://example.org/ada/shop.git":          "example.org/ada/shop",
		"http://ada:secret@Example.ORG/ada/shop/":   "example.org/ada/shop",
		"ssh://git@example.org:2222/ada/shop.git":   "example.org/ada/shop",
		"git@example.org:ada/shop.git":              "example.org/ada/shop",
		"example.org:ada/shop":                      "example.org/ada/shop",
		"git://example.org/ada/shop.git/":           "example.org/ada/shop",
		"ssh://git@[2001:db8::1]:22/ada/shop":       "[2001:db8::1]/ada/shop",
		"https://example.org/Ada/Shop.git":          "example.org/Ada/Shop", // a path may tell letters apart
		"https://user@dev.example.org:8443/a/b/c.x": "dev.example.org/a/b/c.x",
	} {
		if got, local := NormalRemote(url); got != want || local != "" {
			t.Errorf("%s is %q (folder %q), want %q", url, got, local, want)
		}
	}
	for url, want := range map[string]string{
		"/srv/shop.git": "/srv/shop.git", "../shop": "../shop", "file:///srv/shop": "/srv/shop", "file://localhost/srv/shop": "/srv/shop",
		`C:\src\shop`: `C:\src\shop`, "shop": "shop", "./a:b": "./a:b", "": "",
	} {
		if got, local := NormalRemote(url); got != "" || local != want {
			t.Errorf("%s is %q (folder %q), want the folder %q", url, got, local, want)
		}
	}
}

func TestWhichRepositoriesAreTheSame(t *testing.T) {
	t.Parallel()
	one := Repository{Roots: []string{"a", "b"}, Remote: "example.org/ada/shop"}
	for name, c := range map[string]struct {
		other Repository
		same  bool
	}{
		"equal":                        {one, true},
		"a branch of its own":          {Repository{Roots: []string{"b", "c"}, Remote: one.Remote}, true},
		"the same remote, begun anew":  {Repository{Roots: []string{"c"}, Remote: one.Remote}, false},
		"a fork":                       {Repository{Roots: one.Roots, Remote: "example.org/eve/shop"}, false},
		"no remote":                    {Repository{Roots: one.Roots}, false},
		"no remote and one root":       {Repository{Roots: []string{"a"}}, false},
		"shallow, the same remote":     {Repository{Remote: one.Remote}, true},
		"shallow, another remote":      {Repository{Remote: "example.org/eve/shop"}, false},
		"nothing that it is known by":  {Repository{}, false},
		"another one without a remote": {Repository{Roots: []string{"c"}}, false},
	} {
		if one.Same(c.other) != c.same || c.other.Same(one) != c.same {
			t.Errorf("%s: the same: %v, want %v", name, one.Same(c.other), c.same)
		}
	}
	for _, r := range []Repository{one, {Roots: []string{"a"}}, {Remote: "example.org/x"}} {
		got, ok := RepositoryOf(r.NewIdentity())
		if !ok || !got.Same(r) && r.Remote != "" || got.NewIdentity() != r.NewIdentity() {
			t.Errorf("%q was read as %+v", r.NewIdentity(), got)
		}
	}
	if _, ok := RepositoryOf("/home/ada/shop/.git"); ok {
		t.Error("a path is no history")
	}
}
