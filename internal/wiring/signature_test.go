package wiring

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
)

// Made with: ssh-keygen -t ed25519 -f k; printf 'a list of checksums\n' > m; ssh-keygen -Y sign -f k -n hebb-release m
const (
	someKey       = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILWK1x8ZwYQiAjtv8PSotXN6qUhyOzV9EX1R3udmB4P8"
	someText      = "a list of checksums\n"
	someSignature = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgtYrXHxnBhCICO2/w9Ki1c3qpSH
I7NX0RfVHe52YHg/wAAAAMaGViYi1yZWxlYXNlAAAAAAAAAAZzaGE1MTIAAABTAAAAC3Nz
aC1lZDI1NTE5AAAAQGmwjPZNGq45WYlIvJpwz9M13xHMs8+ep4lkb9HnG/P8Bgpp51Ttw8
vc+hjDi+xDq3nnO+c6G9VRlDJ3Yq3vPQk=
-----END SSH SIGNATURE-----
`
)

func TestVerify(t *testing.T) {
	must.Do(t, verify([]byte(someText), []byte(someSignature), someKey))
	otherKey := strings.Replace(someKey, "ILWK1x8Z", "ILWK1x8Y", 1)
	for name, c := range map[string][3]string{
		"another text":              {"another list\n", someSignature, someKey},
		"another key":               {someText, someSignature, otherKey},
		"another signature":         {someText, strings.Replace(someSignature, "aC1lZDI1NTE5AAAAQGmw", "aC1lZDI1NTE5AAAAQGmx", 1), someKey},
		"signed for something else": {someText, strings.Replace(someSignature, "AMaGViYi1yZWxlYXNl", "AMaGViYi1yZWxlYXNm", 1), someKey},
		"cut":                       {someText, someSignature[:200], someKey},
		"nothing":                   {someText, "", someKey},
		"a page":                    {someText, "<html>404</html>", someKey},
	} {
		if err := verify([]byte(c[0]), []byte(c[1]), c[2]); !errors.Is(err, memory.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, key := range []string{"", "ssh-rsa AAAA", "ssh-ed25519 !", "ssh-ed25519 AAAA"} {
		if err := verify([]byte(someText), []byte(someSignature), key); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
}

// A list of checksums that is not signed is not read, whatever it says.
func TestAReleaseHasToBeSigned(t *testing.T) {
	signature := ""
	mux := http.NewServeMux()
	mux.HandleFunc("/"+Sums, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%x  hebb_9.9.9_%s_%s.tar.gz\n", sha256.Sum256(nil), runtime.GOOS, runtime.GOARCH)
	})
	mux.HandleFunc("/"+Signature, func(w http.ResponseWriter, r *http.Request) {
		if signature == "" {
			http.NotFound(w, r)
		}
		fmt.Fprint(w, signature)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	if _, err := NewestRelease(t.Context(), server.URL, ""); err != nil {
		t.Errorf("without a key: %v", err)
	}
	if r, err := NewestRelease(t.Context(), server.URL, someKey); err == nil || r.Version != "" {
		t.Errorf("without a signature: %+v, %v", r, err)
	}
	signature = someSignature
	if r, err := NewestRelease(t.Context(), server.URL, someKey); !errors.Is(err, memory.ErrRefused) || r.Version != "" {
		t.Errorf("with the signature of another list: %+v, %v", r, err)
	}
}

// Everything that installs hebb holds the same key.
func TestOneKeyOfReleases(t *testing.T) {
	for file, line := range map[string]string{"../../install.sh": "\nkey='%s'", "../../npm/hebb.js": "\nconst key = \"%s\";"} {
		if text := must.Get(os.ReadFile(file))(t); !strings.Contains(string(text), fmt.Sprintf(line, ReleaseKey)) {
			t.Errorf("%s does not hold the key %q", file, ReleaseKey)
		}
	}
}
