package hook

import (
	"os"
)

// Spawn starts a program that outlives the agent: without terminal, without pipes of the agent, and
// in its own process group.
func Spawn(program string, arguments ...string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	p, err := os.StartProcess(program, append([]string{program}, arguments...), &os.ProcAttr{
		Files: []*os.File{null, null, null}, Sys: detached(),
	})
	if err != nil {
		return err
	}
	return p.Release()
}
