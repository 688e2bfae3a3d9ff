package filesys

import (
	"os"
	"syscall"
)

// pseudoSystems are the file systems whose files are made by the kernel when they are read (statfs(2), linux/magic.h): proc,
// sysfs, cgroup, cgroup2, debugfs, tracefs, securityfs, bpf, configfs, pstore, efivarfs, binfmt_misc, selinuxfs, mqueue,
// devpts, nsfs, rpc_pipefs, autofs.
var pseudoSystems = [...]uint32{
	0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11, 0x62656570, 0x6165676c,
	0xde5e81e4, 0x42494e4d, 0xf97cff8c, 0x19800202, 0x1cd1, 0x6e736673, 0x67596969, 0x187,
}

// pseudo reports whether a file is on such a file system.
func pseudo(f *os.File) bool {
	var s syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &s); err != nil {
		return false
	}
	for _, kind := range pseudoSystems {
		if uint32(s.Type) == kind {
			return true
		}
	}
	return false
}
