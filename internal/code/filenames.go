package code

import (
	"path"
	"slices"
	"strings"
)

// Generated reports whether a file is written by a tool and not by hand: a lock file, a bundle, generated code, or
// somebody else's source kept in the project. It goes by the name alone. Test snapshots are not: updating them is work.
func Generated(name string) bool {
	folder, base := path.Split(name)
	return slices.Contains(lockFiles, base) || hasGeneratedName(base) || slices.ContainsFunc(strings.Split(folder, "/"), func(part string) bool { return slices.Contains(foreignFolders, part) })
}

var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
	"go.sum", "go.work.sum", "Cargo.lock", "Gemfile.lock", "composer.lock", "mix.lock", "pubspec.lock",
	"poetry.lock", "Pipfile.lock", "pdm.lock", "uv.lock", "conda-lock.yml",
	"Podfile.lock", "Cartfile.resolved", "Package.resolved", "packages.lock.json", "gradle.lockfile",
	"flake.lock", "MODULE.bazel.lock", ".terraform.lock.hcl",
}

// hasGeneratedName knows the endings that generators use by convention.
func hasGeneratedName(base string) bool {
	ends := []string{
		".min.js", ".min.mjs", ".min.css", ".map", // bundles
		".pb.go", ".pb.gw.go", ".pb.cc", ".pb.h", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb.js", "_pb.d.ts", // protobuf
		"_generated.go", ".gen.go", ".generated.ts", ".gen.ts", ".generated.js", ".g.dart", ".freezed.dart",
		".g.cs", ".Designer.cs", ".designer.cs",
	}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(base, end) }) || strings.HasPrefix(base, "zz_generated.")
}

// foreignFolders hold what a package manager fetched.
var foreignFolders = []string{"vendor", "node_modules", "bower_components", "Pods", "__pycache__"}

// hasBinaryName reports whether a file is no text, by its ending: it need not be opened to see that.
func hasBinaryName(name string) bool {
	return slices.Contains(binaryEndings, strings.ToLower(path.Ext(name)))
}

var binaryEndings = []string{
	".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".icns", ".bmp", ".tiff", ".psd", ".pdf",
	".zip", ".gz", ".bz2", ".xz", ".zst", ".7z", ".tar", ".tgz", ".jar", ".war", ".class", ".pyc", ".wasm",
	".so", ".dll", ".dylib", ".exe", ".a", ".o", ".woff", ".woff2", ".ttf", ".otf", ".eot",
	".mp3", ".mp4", ".mov", ".avi", ".wav", ".ogg", ".webm", ".sqlite", ".db", ".parquet", ".onnx",
}

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
