package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// Place is a repository as this machine knows it. It is kept in a file of the data folder and not in the store, because hooks
// read it and because a store may be shared by machines with other paths.
type Place struct {
	Identity string `json:"identity"` // the git common directory, as project.Resolve finds it; or a work tree that was split off
	// Project is the identity of the project that lies here, as long as the repository has this Mark.
	Project string `json:"project,omitempty"`
	Mark    string `json:"mark,omitempty"`
	// Repository is what it was known by when somebody looked last.
	memory.Repository
	// Home is the identity of the project that the one with this Identity was merged into. It has nothing to do with what lies here.
	Home string `json:"home,omitempty"`
}

// mostHomes bounds how many places are followed one after the other: files may have been edited into a circle.
const mostHomes = 8

func (c Config) placesDir() string { return filepath.Join(c.Dir, "places") }

func (c Config) placeFile(identity string) string {
	return filepath.Join(c.placesDir(), memory.NewProjectID(identity).String()+".json")
}

// Home replaces the identity of a place by that of the project whose memory is used there. Hooks call it for every event: it costs
// reading one file, and one failed open. A repository that nobody has looked at since it came to its path keeps its mark: a drain
// asks git what it is (brain.Recognise).
func (c Config) Home(p memory.Place) memory.Place {
	if p.Mark != "" {
		known, ok := c.at(p)
		if !ok {
			return p
		}
		p.Identity, p.Mark = known.Project, ""
	}
	p.Identity = c.merged(p.Identity)
	return p
}

// at returns what is known of the repository at a place; ok is false if that is another one than lies there.
func (c Config) at(p memory.Place) (known Place, ok bool) {
	if !strings.HasPrefix(p.Identity, p.Root+"/") { // a linked work tree may have been split off
		if known, ok = c.Place(p.Root); ok && known.Project != "" && known.Mark == p.Mark {
			return known, true
		}
	}
	known, ok = c.Place(p.Identity)
	return known, ok && known.Project != "" && known.Mark == p.Mark
}

// merged follows a project to the one that it was merged into.
func (c Config) merged(identity string) string {
	at := identity
	for range mostHomes {
		known, ok := c.Place(at)
		if !ok || known.Home == "" {
			return at
		}
		at = known.Home
	}
	return identity
}

// Place returns what is known of a place. A file that cannot be read counts as none.
func (c Config) Place(identity string) (Place, bool) {
	if c.Dir == "" {
		return Place{}, false
	}
	p, err := readPlace(c.placeFile(identity))
	return p, err == nil && p.Identity == identity
}

func readPlace(file string) (p Place, err error) {
	text, err := filesys.ReadFile(file)
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(text, &p)
}

// Places returns all places, by identity. Files that cannot be read are left out.
func (c Config) Places() (places []Place, err error) {
	entries, err := os.ReadDir(c.placesDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		p, err := readPlace(filepath.Join(c.placesDir(), e.Name()))
		if err == nil && p.Identity != "" && c.placeFile(p.Identity) == filepath.Join(c.placesDir(), e.Name()) {
			places = append(places, p)
		}
	}
	memory.Sort(places, func(a, b Place) int {
		if a.Identity < b.Identity {
			return -1
		}
		return 1
	})
	return places, nil
}

// SavePlace replaces what is known of a place, whole or not at all.
func (c Config) SavePlace(p Place) error {
	if err := os.MkdirAll(c.placesDir(), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return filesys.Replace(c.placeFile(p.Identity), text)
}
