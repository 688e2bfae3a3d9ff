package wiring

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// owners recognise by its path who put a program there, and say how it is upgraded.
var owners = []struct{ part, name, upgrade string }{
	{"/_npx/", "npx", "npx @hebb-memory/hebb@latest init --yes"},
	{"/node_modules/", "npm", "npm install -g @hebb-memory/hebb@latest"},
	{"/Cellar/", "Homebrew", "brew upgrade hebb"},
	{"/Caskroom/", "Homebrew", "brew upgrade hebb"},
	{"/scoop/apps/", "Scoop", "scoop update hebb"},
	{"/nix/store/", "Nix", "nix profile upgrade hebb"},
	{"/mise/installs/", "mise", "mise upgrade hebb"},
	{"/asdf/installs/", "asdf", "asdf install hebb latest"},
	{"/go-build", "go run", "git pull"},
}

// ProgramOwner says which package manager a program belongs to, and by which command it is upgraded. Both
// are empty where the program is the person's own file.
func ProgramOwner(program string, exists func(string) bool, goBins []string) (name, upgrade string) {
	program = filepath.ToSlash(program)
	for _, o := range owners {
		if strings.Contains(program, o.part) {
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
