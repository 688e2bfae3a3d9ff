package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// News is a commit in short.
type News struct {
	Subject string
	Paths   []string // as events name them
}

// Since returns the commits of the current branch made after a moment, the latest first, at most most. Merges are left out.
func (g Repo) Since(ctx context.Context, moment time.Time, most int) ([]News, error) {
	out, err := g.ask(ctx, nil, "log", "-z", "--no-merges", "--name-only", "--format=%x01%s", "--max-count="+strconv.Itoa(most),
		fmt.Sprintf("--since=@%d", moment.Unix()+1), "HEAD", "--") // git counts whole seconds
	if saidNo(err) {
		return nil, nil // a branch without a commit
	}
	if err != nil {
		return nil, err
	}
	var news []News
	for record := range strings.SplitSeq(out, "\x01") {
		subject, names, _ := strings.Cut(record, "\x00")
		if record == "" {
			continue
		}
		c := News{Subject: subject}
		for name := range strings.SplitSeq(names, "\x00") {
			if name = strings.TrimPrefix(name, "\n"); name != "" {
				c.Paths = append(c.Paths, memory.EscapePath(name))
			}
		}
		news = append(news, c)
	}
	return news, nil
}
