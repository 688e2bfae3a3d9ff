package code

import (
	"path"
	"slices"
	"strings"
)

// bearsSecrets reports whether a file may hold passwords or keys by its name: its text is not read. Of the hidden files only those are
// read that are known to hold none.
func bearsSecrets(name string) bool {
	folder, base := path.Split(strings.ToLower(name))
	for _, part := range strings.Split(folder, "/") {
		if slices.Contains([]string{".ssh", ".aws", ".gnupg", ".kube", ".docker"}, part) {
			return true
		}
	}
	hasAny := func(has func(s, part string) bool, parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return has(base, part) })
	}
	if hasAny(strings.HasPrefix, ".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519") ||
		hasAny(strings.HasSuffix, ".env", ".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx") {
		return true
	}
	if LanguageOf(base) != Unknown { // a program may deal with secrets and be named after them
		return false
	}
	if hasAny(strings.HasPrefix, "credential", "secret", ".credential", ".secret") {
		return true
	}
	plain := hasAny(strings.HasSuffix, "ignore", ".yml", ".yaml", ".toml", ".json", "attributes", "modules", "config", "-format", "-tidy", "-version") ||
		slices.Contains([]string{".babelrc", ".eslintrc", ".prettierrc", ".stylelintrc", ".bazelrc"}, base)
	return strings.HasPrefix(base, ".") && !plain
}
