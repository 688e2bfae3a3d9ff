package sqlite

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// networkFileSystem reports whether dir lies on a file system that several machines, or a host and its guest, may
// write at once. It reads the mount table because statfs misreports some of them; where there is no mount table
// (macOS, Windows) the answer is no.
func networkFileSystem(dir string) (kind string, remote bool) {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return "", false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	kind = fileSystemOf(table, dir)
	return kind, isNetwork(kind)
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

func isNetwork(kind string) bool {
	switch kind {
	case "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "afs", "ceph", "glusterfs", "lustre", "vboxsf", "prl_fs":
		return true
	}
	return strings.HasPrefix(kind, "fuse") && kind != "fuseblk" && kind != "fusectl"
}

// unescapeOctal restores the blanks that the mount table writes as \040.
func unescapeOctal(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}
