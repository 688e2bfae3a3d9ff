package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Message is what a commit says of itself.
type Message struct {
	Hash          string
	Subject, Body string // as git has them, not scrubbed nor valid text; of the body, what is prose
}

// messageFormat is like format: every field ends in a zero byte. rev-list writes a line of its own before each commit, which makes
// a field too.
const messageFormat = "--format=%x00%H%x00%an%x00%ae%x00%cn%x00%ce%x00%s%x00%b%x00"

// Messages yields the latest commits of people that have a body, the newest first, among the last most. An error of yield ends the
// reading and is returned as it is.
func (g Repo) Messages(ctx context.Context, most int, yield func(Message) error) error {
	tip, err := g.Tip(ctx)
	if err != nil || tip == "" {
		return err
	}
	return g.stream(ctx, nil, func(out io.Reader) error { return readMessages(newParser(out, g), yield) },
		"rev-list", "--no-merges", "--max-count="+strconv.Itoa(most), "--encoding=UTF-8", messageFormat, tip)
}

func readMessages(p *parser, yield func(Message) error) (err error) {
	for {
		var fields [8]string // the first is rev-list's own line
		for i := range fields {
			if fields[i], _, err = p.field(); err != nil {
				if i <= 1 && (errors.Is(err, io.EOF) || errors.Is(err, errCutOff)) {
					return nil // after the last there is the end of a line
				}
				return cutOff(err)
			}
		}
		if !isHash(fields[1]) {
			return fmt.Errorf("git wrote %q where a hash should stand: %w", fields[1], memory.ErrDamaged)
		}
		m := Message{Hash: fields[1], Subject: fields[6], Body: plainBody(fields[7])}
		if m.Body == "" || madeByBot(fields[2], fields[3], fields[4], fields[5]) {
			continue
		}
		if err := yield(m); err != nil {
			return err
		}
	}
}

// plainBody is a body without what programs put there and without the lines that are there to name people: those like Signed-off-by, quoted
// code, anything with an @ in it. A name in a sentence stays.
func plainBody(body string) string {
	var kept []string
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n\t ")
		if strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || strings.ContainsRune(line, '@') || isTrailer(line) {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// isTrailer recognises lines like "Reviewed-by: Ann": one word with a dash, a capital first, and a colon.
func isTrailer(line string) bool {
	key, _, found := strings.Cut(line, ": ")
	return found && strings.Contains(key, "-") && key[0] >= 'A' && key[0] <= 'Z' && !strings.ContainsAny(key, " \t")
}
