package scrub

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestAnExcerptGivesNothingAwayAtItsCuts(t *testing.T) {
	const limit = 4 << 10
	words := strings.Repeat("ordinary words ", 2*limit)
	g := generator{rand.New(rand.NewPCG(9, 10))}
	token := "ghp_" + g.from(alnum, 36, 36)
	key := g.pem("RSA PRIVATE KEY", "\n")
	spoken := g.from(alnum, 30, 30)
	long := strings.Repeat(g.from(base64ch, 64, 64)+"\n", 400) // longer than any margin
	canaries := strings.Repeat(canary+" ", 2*limit)
	for _, c := range []struct{ name, text, secret string }{
		{"an unclosed region begins in the middle", words + "<private>" + canaries, canary},
		{"a region begins in the middle and ends near the end", words + "<private>" + canaries + "</private>" + words[:limit/8], canary},
		{"a region that was never opened ends in the middle", canaries + "</private>" + words, canary},
		{"a region that was never opened ends in the end", canaries + words + canaries + "</private>", canary},
		{"blanks without end stand in the tag", words + "<" + strings.Repeat(" ", 40*limit) + "private>" + canaries, canary},
		{"NUL stands in the tag", words + "<pri\x00vate>" + canaries, canary},
		{"a key longer than the margin ends in the end", words + "-----BEGIN PRIVATE KEY-----\n" + long + "-----END PRIVATE KEY-----", long[:64]},
		{"a key longer than the margin begins in the beginning", words[:limit/4] + "-----BEGIN PRIVATE KEY-----\n" + long + "-----END PRIVATE KEY-----" + words, long[:64]},
		{"a word longer than the margin ends in the end", words + "token=" + strings.ReplaceAll(long, "\n", ""), long[:32]},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Clean(Excerpt(c.text, limit))
			if strings.Contains(got, c.secret) || len(got) > limit {
				t.Errorf("%d bytes: %.300q", len(got), got)
			}
			if strings.HasPrefix(c.text, words) && !strings.HasPrefix(got, "ordinary words ") {
				t.Errorf("the beginning is lost: %.80q", got)
			}
			if end := "</private>" + words[:limit/8]; strings.HasSuffix(c.text, end) && !strings.HasSuffix(got, end[len(end)-limit/8:]) {
				t.Errorf("the end is lost: %q", got)
			}
		})
	}
	// each secret in every position around both cuts
	for _, secret := range []string{token, key, "password = " + spoken, "the API key is " + spoken} {
		for shift := 0; shift < len(secret)+200; shift += 1 + len(secret)/100 {
			edge := limit/2 - len(secret) - 100 + shift
			for _, text := range []string{
				words[:edge] + "\n" + secret + "\n" + words,
				words + "\n" + secret + "\n" + words[:edge],
			} {
				got := Clean(Excerpt(text, limit))
				if part := survivor(got, secret); part != "" {
					t.Fatalf("shift %d: %q survives: %q", shift, part, got)
				}
			}
		}
	}
}

// survivor returns twelve bytes of a secret that are still in the text; its names and titles are
// known to all.
func survivor(text, secret string) string {
	const part = 12
	for i := 0; i+part <= len(secret); i++ {
		piece := secret[i : i+part]
		if strings.ContainsAny(piece, " -:=\r\n\\") {
			continue
		}
		if strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

// TestExcerptsOfRandomTextsGiveNothingAway cuts random texts at random limits. What Clean finds in
// the whole text must not survive in the part.
func TestExcerptsOfRandomTextsGiveNothingAway(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(11, 12))}
	filler := []string{"ordinary ", "words, ", "and code(); ", "a < b ", "世界", "\n", "{\"key\": 1}, ", "https://a.b/c?d=e ", "\x1b[31m", "<b>", "é"}
	secrets := []func() string{
		func() string { return "ghp_" + g.from(alnum, 36, 36) },
		func() string { return "sk-ant-api03-" + g.from(alnum, 93, 93) },
		func() string { return g.pem("RSA PRIVATE KEY", "\n") },
		func() string { return g.pem("OPENSSH PRIVATE KEY", `\n`) },
		func() string { return g.jwt() },
		func() string { return "AWS_SECRET_ACCESS_KEY=" + g.from(alnum, 40, 40) },
		func() string { return `"client_secret": "` + g.from(alnum, 40, 40) + `"` },
		func() string { return "postgres://me:" + g.from(alnum, 24, 24) + "@db/x" },
		func() string { return "Authorization: Bearer " + g.from(alnum, 40, 400) },
	}
	checked := 0
	for range 150 {
		var b strings.Builder
		var planted []string
		depth := 0
		for range g.IntN(40) {
			for range g.IntN(120) {
				if depth > 0 {
					b.WriteString(canary)
				}
				b.WriteString(filler[g.IntN(len(filler))])
			}
			switch n := g.IntN(8); {
			case n == 0:
				b.WriteString(openers[g.IntN(len(openers)-1)])
				depth++
			case n == 1 && depth > 0:
				b.WriteString(closers[g.IntN(len(closers))])
				depth--
			case n < 6:
				s := secrets[g.IntN(len(secrets))]()
				planted = append(planted, s)
				b.WriteString("\n" + s + "\n")
			}
		}
		text := b.String()
		limit := 1 + g.IntN(2*(len(text)+1))
		got := Clean(Excerpt(text, limit))
		if strings.Contains(got, canary) {
			t.Fatalf("limit %d: a canary survives\n%q\n%q", limit, text, got)
		}
		whole := Clean(text)
		for _, s := range planted {
			if survivor(whole, s) == "" {
				checked++
				if part := survivor(got, s); part != "" {
					t.Fatalf("limit %d: %q of %q survives\n%q", limit, part, s, got)
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d secrets were checked", checked)
	}
}

func TestAnExcerptIsNoLongerThanItsLimit(t *testing.T) {
	const limit = 16 << 10
	for name, piece := range map[string]string{
		"words": "some words ", "tags": "<private>x</private>", "openers": "<private>", "closers": "</private>", "blanks": "< ", "no break": "x",
	} {
		t.Run(name, func(t *testing.T) {
			if got := Excerpt(strings.Repeat(piece, 4<<20/len(piece)), limit); len(got) > limit {
				t.Errorf("%d bytes", len(got))
			}
		})
	}
}

func TestAnExcerptKeepsBothEndsAndSaysWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"a short text is whole", "short", 100, "short"},
		{"a text of the limit is whole", strings.Repeat("x", 100), 100, strings.Repeat("x", 100)},
		{"a longer one loses its middle", "<" + strings.Repeat("x ", 499) + ">", 60, "<x x x… [988 bytes cut] … x x >"},
		{"words stay whole", strings.Repeat("hello ", 100), 66, "hello … [587 bytes cut] … hello "},
		{"a word without end is left out", strings.Repeat("x", 100), 60, "… [100 bytes cut] …"},
		{"characters stay whole", strings.Repeat("世", 100), 62, "世世… [288 bytes cut] …世世"},
		{"bytes that are no text stay", strings.Repeat("\xff", 100), 52, "\xff\xff… [96 bytes cut] …\xff\xff"},
		{"without room only the note is left", "abcdefgh", 4, "… [8 bytes cut] …"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Excerpt(c.in, c.limit)
			if got != c.want || len(got) > max(c.limit, 25) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzExcerpt(f *testing.F) {
	f.Add("a <private>x</private> b", 60)
	f.Add(strings.Repeat("word ", 100)+"</private> -----END PRIVATE KEY-----", 100)
	f.Add("<private\xe2\x80\x8b>\x00", 0)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(limit, 0) % (1 << 16)
		got := Excerpt(text, limit)
		if len(got) > max(limit, markRoom) {
			t.Fatalf("%d bytes, limit %d", len(got), limit)
		}
		// what is private in the whole is private in the part
		if got != "" && Private(got) != got {
			t.Fatalf("a tag survives in %q", got)
		}
	})
}

func TestTheRestOfAKeyIsRedacted(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(13, 14))}
	for _, eol := range []string{"\n", "\r\n    ", `\n`} {
		for _, kind := range []string{"RSA PRIVATE KEY", "PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
			key := g.pem(kind, eol)
			body := strings.TrimPrefix(key, "-----BEGIN "+kind+"-----"+eol)
			end := strings.Index(key, "-----END")
			for cut := 0; cut < len(body)-len("-----END -----")-len(kind)-12; cut += 1 + g.IntN(5) {
				if part := survivor(Clean("before\n"+body[cut:]+"\nafter"), body); part != "" {
					t.Fatalf("%s from %d: %q survives: %q", kind, cut, part, Clean(body[cut:]))
				}
			}
			for cut := end; cut > len("-----BEGIN -----")+len(kind)+len(eol)+20; cut -= 1 + g.IntN(5) {
				if part := survivor(Clean(key[:cut]), key); part != "" {
					t.Fatalf("%s to %d: %q survives: %q", kind, cut, part, Clean(key[:cut]))
				}
			}
		}
	}
	for _, text := range []string{
		"the file ends with the line\n-----END PRIVATE KEY-----", "certificate\n-----END CERTIFICATE-----",
		`strings.Contains(text, "-----END PRIVATE KEY-----")`, `"-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----"`,
	} {
		if got := Clean(text); got != text {
			t.Errorf("a line that names a key was taken for one: %q", got)
		}
	}
}
