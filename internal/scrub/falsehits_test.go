package scrub

import (
	"errors"
	"github.com/hebb-memory/hebb/internal/must"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ordinaryCode are the directories of Go's own source that stand for code as agents meet it:
// servers, parsers, compilers, command lines, and their tests. Left out are testdata everywhere,
// and crypto, whose tests hold real private keys, which are true hits.
var ordinaryCode = []string{
	"archive", "bufio", "bytes", "cmd/asm", "cmd/compile/internal/syntax", "cmd/compile/internal/types2", "cmd/doc",
	"cmd/go", "cmd/gofmt", "cmd/vet", "database", "encoding", "errors", "flag", "fmt", "go", "html", "io", "log", "math",
	"mime", "net", "os", "path", "reflect", "regexp", "runtime", "sort", "strconv", "strings", "sync", "testing", "text",
	"time", "unicode",
}

// prose holds sentences that speak about secrets without holding any.
var prose = []string{
	`The password is required and must be at least 12 characters long. If the token is missing, the API key is read
from the environment. Passwords are hashed with bcrypt before they are stored; a secret is never logged.`,
	`Set API_KEY=<your-api-key> and DB_PASSWORD=${DB_PASSWORD} in your .env file, then run make deploy. The token
expires after 3600 seconds. See https://example.com/docs/authentication#bearer-tokens for how Bearer tokens work.`,
	`I refactored the tokenizer so that each token keeps its position; next_token := parser.next() now returns io.EOF.
The pass over the tree is single. All 214 tests pass: compass_test.go, bypass_test.go. max_tokens: 4096, token_count=128.`,
	`password: process.env.DB_PASSWORD, secret: config.get("jwt.secret"), token = os.environ["GITHUB_TOKEN"],
const apiKey = import.meta.env.VITE_API_KEY; let accessToken: string | undefined; passwordHash: await hash(password)`,
	`Das Passwort ist falsch. Le mot de passe est obligatoire. La contraseña es incorrecta. Пароль введён неверно.
密码是必填项。パスワードは必須です。A senha é obrigatória. Hasło jest wymagane.`,
	`git clone git@github.com:org/repo.git && docker run -p 8080:80 -u 1000:1000 --name web nginx; kubectl get secret
db-credentials -n prod; mysql -u root -p < dump.sql; curl -u "$USER:$PASS" https://api.example.com/v1/items`,
	`commit 3f786850e387550fdab836ed7e6dc881de23001b: bump eslint from 8.57.0 to 9.1.1; "integrity":
"sha512-9kFGLNHHIYlBMrYzXNxXYzQ8rvbAMiGJhgqMlmXNoAEMTNXqHL4y4eXUy0jnuUBW9Eyc0sBqOTVQmRqnYh2t3A=="`,
	`{"session_id":"5d1a6c1e-1f0b-4b8e-9a45-0f3f1d2f6a11","tool_name":"Bash","tool_use_id":"toolu_01A09q90qw90lq917835lq9",
"transcript_path":"/home/me/.claude/projects/x/5d1a6c1e.jsonl","cwd":"/home/me/proj"}`,
	`type Config struct { Password string; Token *Token; APIKey func() string } // token: the token to use
if token == "" { return errors.New("token is empty") }; t.Setenv("API_TOKEN", ""); login(user, password)`,
	`Use a disk-based cache; the risk-averse task-runner skips ask-for-password. hf_transfer is a package, npm_config_registry
a variable, key-value a pair, and sk-learn is scikit-learn. Monkey-patching the key-handler is fine.`,
}

// ordinarySource reads the ordinary code.
func ordinarySource(tb testing.TB) map[string]string {
	root := goRoot(tb)
	files := map[string]string{}
	for _, dir := range ordinaryCode {
		err := filepath.WalkDir(filepath.Join(root, "src", dir), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // Go's releases move directories
				return nil
			}
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if d.IsDir() || filepath.Ext(path) != ".go" {
				return nil
			}
			body, err := os.ReadFile(path)
			files[path] = string(body)
			return err
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

func goRoot(tb testing.TB) string {
	out := must.Get(exec.Command("go", "env", "GOROOT").Output())(tb)
	return strings.TrimSpace(string(out))
}

func TestOrdinaryCodeIsLeftAlone(t *testing.T) {
	files := ordinarySource(t)
	bytes, hits := 0, 0
	for path, text := range files {
		bytes += len(text)
		_, found := Secrets(text)
		hits += len(found)
		for _, f := range found {
			line := 1 + strings.Count(text[:f.Start], "\n")
			t.Logf("%s:%d: %s: %.80q", path, line, f.Kind, text[f.Start:f.End])
		}
	}
	rate := float64(hits) / (float64(bytes) / 1e5)
	t.Logf("%d hits in %.1f MB of %d files: %.3f per 100 KB", hits, float64(bytes)/1e6, len(files), rate)
	if bytes < 5e6 {
		t.Errorf("only %d bytes of source were found, want 5 MB", bytes)
	}
	if rate > 0.3 { // 0.267 before and after the rules for what people say
		t.Errorf("%.3f false hits per 100 KB, want at most 0.3", rate)
	}
}

func TestProseAboutSecretsIsLeftAlone(t *testing.T) {
	for _, text := range prose {
		if clean, found := Secrets(text); len(found) > 0 {
			t.Errorf("%d false hits:\n%s", len(found), clean)
		}
	}
}
