package scrub

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCleanMakesTextFitToBeStored(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"ordinary text stays", "fix: the parser loses its last token\n", "fix: the parser loses its last token\n"},
		{"broken UTF-8 is repaired", "a\xffb\xc3", "a\uFFFDb\uFFFD"},
		{"NUL is removed", "a\x00b", "ab"},
		{"NUL does not hide a tag", "a <pri\x00vate>x</private> b", "a [private] b"},
		{"a spoken password is redacted", "the password is hunter2!", "the password is [redacted:password:cb1a]"},
		{"the password of a short URL is redacted", "postgres://u:p@h", "postgres://u:[redacted:url-password:148d]@h"},
		{"secrets in private regions leave no marker", "<private>password=hunter22</private>", "[private]"},
		{"a marker stays", "token=[redacted:secret:abcd]", "token=[redacted:secret:abcd]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Clean(c.text); got != c.want {
				t.Errorf("Clean(%q)\n got %q\nwant %q", c.text, got, c.want)
			}
		})
	}
}

func TestEqualSecretsGetEqualMarkers(t *testing.T) {
	one, _ := Secrets("password=correct7horse")
	two, _ := Secrets("PGPASSWORD=correct7horse psql")
	other, _ := Secrets("password=correct8horse")
	cut := func(s string) string {
		_, s, _ = strings.Cut(s, "[")
		s, _, _ = strings.Cut(s, "]")
		return s
	}
	if cut(one) == "" || cut(one) != cut(two) || cut(one) == cut(other) {
		t.Errorf("%q %q %q", one, two, other)
	}
}

func TestFindingsPointIntoTheTextAsGiven(t *testing.T) {
	for seed := range uint64(3) {
		for _, p := range corpus(seed) {
			text := "head\n" + p.text + "\ntail"
			clean, found := Secrets(text)
			var rebuilt strings.Builder
			from := 0
			for _, f := range found {
				if f.Start < from || f.End <= f.Start || f.End > len(text) || f.Kind == "" {
					t.Fatalf("finding %+v in %q", f, text)
				}
				rebuilt.WriteString(text[from:f.Start] + marker(f.Kind, text[f.Start:f.End]))
				from = f.End
			}
			if rebuilt.WriteString(text[from:]); rebuilt.String() != clean {
				t.Fatalf("findings do not explain the result\n%q\n%q\n%q", text, rebuilt.String(), clean)
			}
		}
	}
}

func TestCleaningTwiceChangesNothing(t *testing.T) {
	for seed := range uint64(3) {
		for _, p := range corpus(seed) {
			checkClean(t, p.text)
		}
	}
	// pieces of everything the rules know, in any order
	rng := rand.New(rand.NewPCG(3, 4))
	pieces := fragments()
	for range 20_000 {
		var b strings.Builder
		for range 1 + rng.IntN(8) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		checkClean(t, b.String())
	}
}

// fragments are triggers, separators, bodies and markers.
func fragments() []string {
	g := generator{rand.New(rand.NewPCG(5, 6))}
	pieces := []string{
		" ", "\n", "=", ": ", "\"", "'", "`", "@", "/", "://", ",", ";", "\\n", "\\\"", "%3D", "<", ">", "</private>", "<private>",
		"[redacted:secret:abcd]", "[redacted:", "[private]", " is ", "--", "-p ", "-u me:", "hunter22!", "\x00", "\xff", "é", "密码是",
	}
	for _, r := range allRules() {
		pieces = append(pieces, strings.Split(r.triggers, "|")...)
	}
	for _, t := range tokens {
		pieces = append(pieces, strings.Fields(t.prefixes)[0]+g.from(lowhex, 64, 64))
	}
	for range 20 {
		pieces = append(pieces, g.from(alnum, 8, 40), g.password(), g.jwt())
	}
	return pieces
}

func checkClean(t *testing.T, text string) {
	t.Helper()
	got := Clean(text)
	if !utf8.ValidString(got) || strings.Contains(got, "\x00") {
		t.Fatalf("Clean(%q) is not valid: %q", text, got)
	}
	if again := Clean(got); again != got {
		t.Fatalf("not idempotent\n%q\n%q\n%q", text, got, again)
	}
}

func FuzzClean(f *testing.F) {
	for _, p := range corpus(0) {
		if len(p.text) < 300 {
			f.Add(p.text)
		}
	}
	for _, text := range prose {
		f.Add(text)
	}
	f.Fuzz(checkClean)
}

func TestTriggersAreWellFormed(t *testing.T) {
	kinds := map[string]bool{}
	for _, r := range allRules() {
		kinds[r.kind] = true
		if m := marker(r.kind, "x"); markerEnd(m, 0) != len(m) {
			t.Errorf("%q is not seen as a marker", m)
		}
		for trigger := range strings.SplitSeq(r.triggers, "|") {
			if len(trigger) < 3 {
				t.Errorf("%s: trigger %q is too short", r.kind, trigger)
			}
			for i := range len(trigger) {
				if trigger[i] < utf8.RuneSelf && lower(trigger[i]) != trigger[i] {
					t.Errorf("%s: trigger %q is not in lower case", r.kind, trigger)
				}
			}
		}
	}
	if len(kinds) < 40 {
		t.Errorf("%d kinds, want more than 40", len(kinds))
	}
	t.Logf("%d kinds", len(kinds))
}

// TestHostileTextComesToAnEnd repeats what makes rules look ahead; a rule that looks without bound would not be done
// before the test's own limit.
func TestHostileTextComesToAnEnd(t *testing.T) {
	for _, piece := range hostile {
		t.Run(piece, func(t *testing.T) {
			checkClean(t, strings.Repeat(piece, 64*kilobyte/len(piece)))
		})
	}
}

var hostile = []string{
	"password=", "password:\"", "ghp_", "ghp_xxxx ", "eyJ", "eyJ.", "://", "://a:b", "-----BEGIN PRIVATE KEY-----", "token ",
	"curl -u ", "curl -u\\\n", "<private>", "</private>", "<", "AKIA", "[redacted:", "cookie:", "password is ", "seed phrase abc ", "bearer ",
	"basic ", "discord ", "sig=", "\\\\\"password", "--pass ", "AKIAAAAAAAAAAAAAAAAA", "<a ", "`", "密码是", "login as ", "pin is ", "sms code, ", "MTE", "1/1", "s.a", "_", "use a1 as the password ",
}

const kilobyte = 1 << 10

// BenchmarkClean redacts an ordinary prompt: no trigger of any token in it.
func BenchmarkClean(b *testing.B) {
	text := strings.Repeat("Please move the parser into its own file and run the tests again; it broke line numbers. ", 11)
	triggers()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		Clean(text)
	}
}

// Documented examples have the shape of the real thing, and are what people try a redaction with.
// They are put together here, so that no scanner takes this file for a leak.
func TestDocumentedExamplesAreRedacted(t *testing.T) {
	id, secret := "AKIA"+"IOSFODNN7EXAMPLE", "wJalrXUtnFEMI"+"/K7MDENG/bPxRfiCY"+"EXAMPLEKEY"
	sample := strings.Repeat("aB3dE5", 6)
	for _, c := range []struct{ text, secret string }{
		{"the id is " + id + ".", id},
		{"aws_access_key_id = " + id, id},
		{"aws_secret_access_key = " + secret, secret},
		{"export AWS_SECRET_ACCESS_KEY=" + secret, secret},
		{`"SecretAccessKey": "` + secret + `",`, secret},
		{"secret_key: '" + secret + "'", secret},
		{id + " / " + secret, secret},
		{"ghp_" + "EXAMPLE" + sample[:29], sample[:29]},
		{"sk-ant-api03-" + "example-" + sample, sample},
		{"sk-proj-" + "sample" + sample, sample},
		{"sk-" + "example" + sample, sample},
		{"xoxb-1234567890-" + "EXAMPLE" + sample, sample},
		{"sk_live_" + "dummy" + sample, sample},
		{"fcm dX3:APA91b" + strings.Repeat(sample, 12), sample},                      // more than 400 bytes
		{strings.Repeat("a1B", 4) + ".atlasv1." + strings.Repeat(sample, 6), sample}, // more than 200
	} {
		if got := Clean(c.text); strings.Contains(got, c.secret) {
			t.Errorf("Clean(%q) = %q", c.text, got)
		}
	}
	for _, text := range []string{
		"ghp_" + strings.Repeat("x", 36), "AKIA" + strings.Repeat("X", 16), "API_KEY=your-example-api-key-1a2b3c4d",
		"secret = example_secret_value_a1b2c3d4",
	} {
		if got := Clean(text); got != text {
			t.Errorf("a stand-in was taken for a secret: %q", got)
		}
	}
}

// TestCharactersWithoutWidthHideNoSecret puts one at each place of a token, and leaves them where
// they mean something.
func TestCharactersWithoutWidthHideNoSecret(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	token := "ghp_" + g.from(alnum, 36, 36)
	for _, hidden := range []string{"\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\U000e0041", "\u200b\u2060"} {
		for i := 1; i < len(token); i++ {
			text := "use " + token[:i] + hidden + token[i:] + " here"
			if got := Clean(text); !strings.HasPrefix(got, "use [redacted:github-token:") || !strings.HasSuffix(got, "] here") {
				t.Errorf("%+q at %d: %q", hidden, i, got)
			}
			if got := Clean(Excerpt(text+strings.Repeat(" more words", 300), 1<<10)); strings.Contains(got, token[5:20]) {
				t.Errorf("%+q at %d in an excerpt: %q", hidden, i, got)
			}
		}
	}
	for _, text := range []string{"👩\u200d💻 works", "می\u200cخواهم", "a\u200b b", "\ufeffbegins", "ends\u200b", "src/lo\u200bgin.go", "❤\ufe0f ok"} {
		if got := Clean(text); got != text {
			t.Errorf("%+q became %+q", text, got)
		}
	}
}

// TestPipesWithoutASecretAreLeftAlone: variables, files and prose.
func TestPipesWithoutASecretAreLeftAlone(t *testing.T) {
	for _, text := range []string{
		`echo "$REGISTRY" | docker login -u ci --password-stdin`,
		"cat token.txt | docker login --password-stdin",
		"echo ${{ secrets.TOKEN }} | docker login --password-stdin",
		"use docker login --password-stdin | the password is read from standard input",
		"echo done | sudo -u postgres psql",
		"vault login -method=oidc role=dev",
		"sudo -S reads the password from standard input",
		"the echo of chpasswd || exit 1",
		"gpg --passphrase-fd 0 < file",
	} {
		if got := Clean(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
