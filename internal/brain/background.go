package brain

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/config"
	"github.com/hebb-memory/hebb/internal/filesys"
)

// BackgroundWork is how long a process in the background works: then it ends between two batches, and the next one goes on. After
// BackgroundEnds it is ended. The longest job measured, a first index of a year of heavy use, takes a few minutes.
const (
	BackgroundWork = 20 * time.Minute
	BackgroundEnds = BackgroundWork + time.Minute
)

// Run is what a process in the background says of itself.
type Run struct {
	PID   int       `json:"pid"`
	Began time.Time `json:"began"`
	Until time.Time `json:"until"` // it ends by itself by then
	Job   string    `json:"job"`
}

const runEnding = ".run"

// Began is a process that has said so. The file is locked until it ends, so that nobody takes another process for it.
type Began struct {
	Run
	file *os.File
}

// BeginRun says in the data folder that this process works in the background, and removes what processes that were killed left.
// Where that is not possible the work goes on unsaid.
func BeginRun(c config.Config, now time.Time) *Began {
	r := &Began{Run: Run{PID: os.Getpid(), Began: now, Until: now.Add(BackgroundEnds)}}
	eachRun(c, func(f *os.File, alive bool) {
		if !alive {
			_ = filesys.RemoveOwn(f.Name()) // the next one tries again
		}
	})
	if os.MkdirAll(c.Runs(), 0o700) != nil {
		return r
	}
	f, err := filesys.Open(filepath.Join(c.Runs(), strconv.Itoa(r.PID)+runEnding), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return r
	}
	if filesys.TryExclusive(f) != nil {
		_ = f.Close() // nothing was written
		return r
	}
	r.file = f
	return r
}

// Works says what the process does now.
func (r *Began) Works(job string) {
	if r.file == nil {
		return
	}
	r.Job = job
	text, err := json.Marshal(r.Run)
	if err == nil {
		err = r.file.Truncate(0)
	}
	if err == nil {
		_, _ = r.file.WriteAt(text, 0) // it is only said
	}
}

// End says that the process is done.
func (r *Began) End() {
	if r.file != nil {
		_ = filesys.RemoveOwn(r.file.Name())
		_ = r.file.Close()
	}
}

// Runs are the processes in the background that have not ended.
func Runs(c config.Config) (runs []Run) {
	eachRun(c, func(f *os.File, alive bool) {
		var r Run
		text, err := io.ReadAll(f)
		if alive && err == nil && json.Unmarshal(text, &r) == nil {
			runs = append(runs, r)
		}
	})
	return runs
}

// eachRun hands over the files of processes, and whether the process lives: it holds the lock.
func eachRun(c config.Config, do func(f *os.File, alive bool)) {
	entries, _ := os.ReadDir(c.Runs()) // nobody ever worked in the background
	for _, e := range entries {
		pid, is := strings.CutSuffix(e.Name(), runEnding)
		if _, err := strconv.Atoi(pid); !is || err != nil {
			continue
		}
		f, err := filesys.Open(filepath.Join(c.Runs(), e.Name()), os.O_RDWR, 0)
		if err != nil {
			continue
		}
		do(f, errors.Is(filesys.TryExclusive(f), filesys.ErrHeld))
		_ = f.Close()
	}
}
