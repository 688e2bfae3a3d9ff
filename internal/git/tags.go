package git

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tagged says when a release was made: that of a tag by its name, with or without v, or of the newest for "release".
func (g Repo) Tagged(ctx context.Context, name string) (time.Time, bool) {
	out, err := g.ask(ctx, nil, "for-each-ref", "--sort=-creatordate", "--format=%(creatordate:unix) %(refname:strip=2)", "refs/tags")
	if err != nil {
		return time.Time{}, false
	}
	tags := slices.Collect(strings.Lines(out))
	if slices.Contains([]string{"release", "last release", "latest release"}, name) {
		tags = tags[:min(1, len(tags))]
		name = ""
	}
	bare := func(tag string) string { return strings.TrimPrefix(strings.ToLower(tag), "v") }
	for _, line := range tags {
		seconds, tag, _ := strings.Cut(strings.TrimSpace(line), " ")
		at, err := strconv.ParseInt(seconds, 10, 64)
		if err == nil && (name == "" || bare(tag) == bare(name)) {
			return time.Unix(at, 0), true
		}
	}
	return time.Time{}, false
}
