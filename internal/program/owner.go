package program

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// owners recognise by its path who put a program there, and say how it is upgraded.
var owners = []struct {
	path    *regexp.Regexp
	name    string
	upgrade string
}{
	{regexp.MustCompile(`/_npx/`), "npx", "npx @hebb-memory/hebb@latest init"},
	{regexp.MustCompile(`/node_modules/`), "npm", "npm install -g @hebb-memory/hebb@latest"},
	{regexp.MustCompile(`/(Cellar|Caskroom)/`), "Homebrew", "brew upgrade hebb"},
	{regexp.MustCompile(`(?i)/scoop/apps/`), "Scoop", "scoop update hebb"},
	{regexp.MustCompile(`^/nix/store/`), "Nix", "nix profile upgrade hebb"},
	{regexp.MustCompile(`/(mise|asdf)/installs/`), "a version manager", "mise upgrade hebb"},
	{regexp.MustCompile(`/go-build[^/]*/`), "go run", "git pull"},
}

// Owner says which package manager a program belongs to, and by which command it is upgraded. Both
// are empty where the program is the person's own file.
func Owner(program string, exists func(string) bool, goBins []string) (name, upgrade string) {
	program = filepath.ToSlash(program)
	for _, o := range owners {
		if o.path.MatchString(program) {
			return o.name, o.upgrade
		}
	}
	if strings.HasPrefix(program, "/usr/bin/") && exists("/var/lib/dpkg/info/hebb.list") {
		return "apt", "sudo apt install hebb"
	}
	isGo := func(bin string) bool { return bin != "" && path.Dir(program) == path.Clean(filepath.ToSlash(bin)) }
	if slices.ContainsFunc(goBins, isGo) {
		return "go install", "go install github.com/hebb-memory/hebb/cmd/hebb@latest"
	}
	return "", ""
}

// GoBins are the folders into which go install writes.
func GoBins(getenv func(string) string) []string {
	bins := []string{getenv("GOBIN")}
	for _, root := range filepath.SplitList(getenv("GOPATH")) {
		bins = append(bins, filepath.Join(root, "bin"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		bins = append(bins, filepath.Join(home, "go", "bin"))
	}
	return bins
}
