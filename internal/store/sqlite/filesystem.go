package sqlite

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// fileSystem is the type of the file system that dir lies on. It reads the mount table because statfs misreports some;
// where there is no mount table (macOS, Windows) the answer is "".
func fileSystem(dir string) string {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return fileSystemOf(table, existing(dir))
}

// existing is the real path of dir or, for a folder yet to be made, of the nearest one above it that is there.
func existing(dir string) string {
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	for above := dir; ; above = filepath.Dir(above) {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			return filepath.Join(real, strings.TrimPrefix(dir, above))
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}

// fileSystemOf finds the type of the longest mount point above dir.
func fileSystemOf(mountinfo []byte, dir string) (kind string) {
	longest := -1
	lines := bufio.NewScanner(bytes.NewReader(mountinfo))
	for lines.Scan() {
		before, after, ok := strings.Cut(lines.Text(), " - ")
		fields, types := strings.Fields(before), strings.Fields(after)
		if !ok || len(fields) < 5 || len(types) == 0 {
			continue
		}
		point := unescapeOctal(fields[4])
		inside := point == "/" || dir == point || strings.HasPrefix(dir, point+"/")
		if inside && len(point) >= longest {
			longest, kind = len(point), types[0]
		}
	}
	return kind
}

// isNetwork says whether several machines, or a host and its guest, may write such a file system at once.
func isNetwork(kind string) bool {
	switch kind {
	case "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "afs", "ceph", "glusterfs", "lustre", "vboxsf", "prl_fs":
		return true
	}
	return strings.HasPrefix(kind, "fuse") && kind != "fuseblk" && kind != "fusectl"
}

// unescapeOctal restores the blanks that the mount table writes as \040.
func unescapeOctal(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\043`, "#", `\134`, `\`).Replace(s)
}
