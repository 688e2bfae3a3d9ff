package sqlite

import (
	"github.com/hebb-memory/hebb/internal/must"
	"os"
	"path/filepath"
	"testing"
)

const mountTable = `22 1 0:20 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/a:/b,upperdir=/c,workdir=/d
23 22 0:21 / /proc rw,nosuid - proc proc rw
24 22 254:1 / /home rw,relatime shared:2 - ext4 /dev/vda1 rw
25 24 0:41 / /home/ada/nfs rw,relatime shared:3 - nfs4 server:/export rw,vers=4.2
26 25 254:1 /local /home/ada/nfs/local rw - ext4 /dev/vda1 rw
27 24 0:42 / /home/ada/share rw - cifs //server/share rw
28 24 0:43 / /mnt/wsl\040drive rw - 9p drvfs rw
29 24 0:44 / /mnt/vm rw - virtiofs vm rw
30 24 0:45 / /mnt/ssh rw - fuse.sshfs ada@host: rw
31 24 0:46 / /mnt/usb rw - fuseblk /dev/sdb1 rw
32 24 0:47 / /mnt/tmp rw - tmpfs tmpfs rw
33 32 0:48 / /mnt/tmp rw - nfs server:/over rw
34 24 0:24 /export/dir /mnt/bind rw master:4 - nfs4 server:/export rw
35 24 0:49 / /mnt/tab\011and\134back\043 rw - btrfs /dev/vdb rw
not a line of the table
36 24
`

func TestFileSystemsOfAMountTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir, kind string
		network   bool
	}{
		{"/", "overlay", false},
		{"/root/.hebb", "overlay", false},
		{"/home/ada/.hebb", "ext4", false},
		{"/homework", "overlay", false}, // no part of /home
		{"/home/ada/nfs", "nfs4", true},
		{"/home/ada/nfs/.hebb", "nfs4", true},
		{"/home/ada/nfs2", "ext4", false},
		{"/home/ada/nfs/local/x", "ext4", false}, // a local disk bound into it
		{"/home/ada/share/x", "cifs", true},
		{"/mnt/wsl drive/x", "9p", true},
		{"/mnt/vm", "virtiofs", true},
		{"/mnt/ssh/x", "fuse.sshfs", true},
		{"/mnt/usb/x", "fuseblk", false}, // NTFS on a local disk
		{"/mnt/tmp/x", "nfs", true},      // the later mount hides the earlier
		{"/mnt/bind/x", "nfs4", true},
		{"/mnt/tab\tand\\back#/x", "btrfs", false},
	} {
		if kind := fileSystemOf([]byte(mountTable), c.dir); kind != c.kind || isNetwork(kind) != c.network {
			t.Errorf("%s: got %q, network %v; want %q, %v", c.dir, kind, isNetwork(kind), c.kind, c.network)
		}
	}
	if kind := fileSystemOf(nil, "/x"); kind != "" || isNetwork(kind) {
		t.Errorf("without a table: got %q", kind)
	}
}

func TestNetworkFileSystems(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		"nfs": true, "nfs4": true, "cifs": true, "smb3": true, "9p": true, "virtiofs": true, "fuse": true, "fuse.sshfs": true,
		"fuse.rclone": true, "ceph": true, "vboxsf": true,
		"": false, "ext4": false, "xfs": false, "btrfs": false, "zfs": false, "tmpfs": false, "overlay": false, "fuseblk": false, "apfs": false,
	} {
		if isNetwork(kind) != want {
			t.Errorf("%q: got %v, want %v", kind, !want, want)
		}
	}
}

func TestAFolderYetToBeMadeLiesWhereItsParentDoes(t *testing.T) {
	t.Parallel()
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(real, link))
	resolved := must.Get(filepath.EvalSymlinks(real))(t)
	if got, want := existing(filepath.Join(link, "not", "yet")), filepath.Join(resolved, "not", "yet"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := existing("relative"); !filepath.IsAbs(got) {
		t.Errorf("got %s, want an absolute path", got)
	}
}
