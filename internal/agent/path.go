package agent

import (
	"path"
	"strings"
)

// Paths are handled as text, the same on every system: a payload is about the agent's machine, and
// path/filepath would take C:\src\a.go for a relative name on Linux and /c/src/a.go for one on
// Windows.

// absolute returns name as a clean absolute path, taken from dir if it is relative; "" if there is
// no telling.
func absolute(dir, name string) string {
	switch {
	case name == "":
		return ""
	case Rooted(name):
		return clean(name)
	case Rooted(dir) && (Drive(dir) || strings.HasPrefix(dir, `\\`)):
		return clean(dir + `\` + name)
	case Rooted(dir):
		return clean(dir + "/" + name)
	}
	return ""
}

// Rooted reports whether a path is absolute on any system: /x, C:\x, C:/x, \\server\share.
func Rooted(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\\`) || Drive(p) && len(p) > 2 && (p[2] == '\\' || p[2] == '/')
}

// Drive reports whether a path begins with a drive letter of Windows.
func Drive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

// clean removes empty, . and .. elements of an absolute path without looking at the disk.
func clean(p string) string {
	var volume, rest string
	switch {
	case Drive(p):
		volume, rest = p[:2], p[2:]
	case strings.HasPrefix(p, `\\`):
		volume, rest = `\`, p[1:]
	default:
		return path.Clean(p)
	}
	rest = path.Clean(strings.ReplaceAll(rest, `\`, "/"))
	return volume + strings.ReplaceAll(rest, "/", `\`)
}

// pathPart returns a part of a path, counted from its end: 1 is the file.
func pathPart(path string, fromEnd int) string {
	for {
		cut := strings.LastIndexAny(path, `/\`)
		if fromEnd == 1 || cut < 0 {
			if fromEnd > 1 {
				return ""
			}
			return path[cut+1:]
		}
		path, fromEnd = path[:cut], fromEnd-1
	}
}
