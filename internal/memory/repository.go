package memory

import (
	"slices"
	"strings"
)

// Repository is what a repository is known by, wherever it lies: its history.
type Repository struct {
	// Roots are the hashes of the commits without parents, sorted; none where there is no commit yet, and in a shallow clone.
	Roots []string `json:"roots,omitempty"`
	// Remote is where it was cloned from, as NormalRemote writes it; empty: from nowhere.
	Remote string `json:"remote,omitempty"`
}

// Known reports whether there is anything to tell it by.
func (r Repository) Known() bool { return len(r.Roots) > 0 || r.Remote != "" }

// FolderRemote begins the remote of a clone whose way ends in a folder of this machine: the git directory there follows.
const FolderRemote = "folder:"

// url is the remote, if it is more than a folder of this machine.
func (r Repository) url() string {
	if strings.HasPrefix(r.Remote, FolderRemote) {
		return ""
	}
	return r.Remote
}

// Shares reports whether two have a root in common. Clones do, and so do forks and copies of a template.
func (r Repository) Shares(other Repository) bool {
	return slices.ContainsFunc(r.Roots, func(root string) bool { return slices.Contains(other.Roots, root) })
}

// Same reports whether two at different places are one repository: an equal remote must say so. Equal roots alone do not, as two copies of a
// template have them. Of a shallow clone, which knows no roots, only a remote that is no folder does.
func (r Repository) Same(other Repository) bool {
	if r.Remote == "" || r.Remote != other.Remote {
		return false
	}
	return r.Shares(other) || r.url() != "" && (len(r.Roots) == 0 || len(other.Roots) == 0)
}

// Continues reports whether two that were seen at one place, one after the other, are one repository: a remote may have been added
// or removed in between.
func (r Repository) Continues(other Repository) bool {
	one, two := r.url(), other.url()
	switch {
	case one != "" && two != "":
		r.Remote, other.Remote = one, two
		return r.Same(other)
	case len(r.Roots) == 0 || len(other.Roots) == 0:
		return false
	}
	return slices.Equal(r.Roots, other.Roots)
}

// MayBe reports whether two may be one repository, so that a person is to be asked: they have a root in common, and no remote says otherwise.
func (r Repository) MayBe(other Repository) bool {
	return r.Shares(other) && (r.url() == "" || other.url() == "" || r.url() == other.url())
}

// historyScheme begins the identity of a project that is made of its history.
const historyScheme = "git:"

// NewIdentity is that of a new project with this history and remote: the same on every machine.
func (r Repository) NewIdentity() string {
	return strings.TrimSuffix(historyScheme+strings.Join(r.Roots, ",")+" "+r.Remote, " ")
}

// RepositoryOf reads the history from the identity of a project. ok is false for one that was made of a path.
func RepositoryOf(identity string) (r Repository, ok bool) {
	text, ok := strings.CutPrefix(identity, historyScheme)
	if !ok {
		return r, false
	}
	roots, remote, _ := strings.Cut(text, " ")
	if roots != "" {
		r.Roots = strings.Split(roots, ",")
	}
	r.Remote = remote
	return r, true
}

// OwnIdentity is the identity of a project of one place alone.
func (p Place) OwnIdentity() string { return p.Identity + "#" + p.Mark }

// splitScheme begins the identity of a project that a person split off with an earlier version: no other clone uses it.
const splitScheme = "split:"

// IsSplit reports whether a person gave one place this memory of its own.
func IsSplit(identity string) bool { return strings.HasPrefix(identity, splitScheme) }

// NormalRemote writes the URL of a remote so that the ways to reach one repository are equal: without scheme, user, port and the
// ending .git, with the host in lower case. local is set instead for a folder of this machine, which is no name of its own.
func NormalRemote(url string) (remote, local string) {
	url = strings.TrimSpace(url)
	scheme, rest, hasScheme := strings.Cut(url, "://")
	host, path := "", ""
	switch {
	case url == "":
		return "", ""
	case hasScheme && strings.EqualFold(scheme, "file"):
		return "", strings.TrimPrefix(rest, "localhost")
	case hasScheme:
		host, path, _ = strings.Cut(rest, "/")
		_, host = cutLast(host, "@")
		if bracket := strings.LastIndex(host, "]"); strings.Contains(host[bracket+1:], ":") {
			host = host[:strings.LastIndex(host, ":")]
		}
	default: // user@host:path, unless a slash comes before the colon or a single letter does: then it is a folder
		var short bool
		host, path, short = strings.Cut(url, ":")
		if !short || strings.ContainsAny(host, `/\`) || len(host) == 1 {
			return "", url
		}
		_, host = cutLast(host, "@")
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	return strings.ToLower(host) + "/" + strings.Trim(path, "/"), ""
}

// cutLast is strings.Cut at the last separator; without one everything is after it.
func cutLast(s, separator string) (before, after string) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):]
	}
	return "", s
}
