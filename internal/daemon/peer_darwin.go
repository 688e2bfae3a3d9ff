package daemon

import "golang.org/x/sys/unix"

// peer returns the user at the other end of a socket.
func peer(fd int) (uid uint32, err error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return c.Uid, nil
}
