package inspect

import (
	"fmt"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/brain"
)

// background names processes that should have ended.
func (d *Examination) background() {
	var late []string
	runs := brain.Runs(d.Config)
	for _, r := range runs {
		if d.Now.After(r.Until) {
			late = append(late, fmt.Sprintf("process %d (%s) should have ended at %s", r.PID, r.Job, r.Until.Format(time.RFC3339)))
		}
	}
	fine := fmt.Sprintf("%d at work, each for at most %.0f minutes", len(runs), brain.BackgroundEnds.Minutes())
	d.judge("background", fine, strings.Join(late, "; "), Warn, "end it by its number (kill, or the task manager); nothing is lost")
}
