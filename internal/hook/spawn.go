package hook

import (
	"os"
)

// Spawn starts program with arguments in a process of its own that outlives the agent: no terminal, no pipes of the
// agent held open, not in the agent's process group.
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
