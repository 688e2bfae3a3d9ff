package httpapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// guard decides who is answered. Cookies are sent to every port of a host, so the one here is bound to a path that is drawn at random as
// well: a server of somebody else on another port of this machine never receives it.
type guard struct {
	now    func() time.Time
	port   int
	path   string // "/" and a secret
	cookie string // its value
	hosts  []string

	mutex  sync.Mutex
	tokens map[[32]byte]time.Time // unused ones, by their hash, and until when they can be used
}

func newGuard(now func() time.Time) guard {
	return guard{now: now, path: "/" + drawn(), cookie: drawn(), tokens: map[[32]byte]time.Time{}}
}

func (g *guard) listensOn(port int) {
	g.port = port
	g.hosts = []string{fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port)}
}

// address makes an address with a token of its own.
func (g *guard) address() string {
	token := drawn()
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.tokens[sha256.Sum256([]byte(token))] = g.now().Add(tokenLife)
	return "http://" + g.hosts[0] + g.path + "/in?token=" + token
}

// spend takes a token, which cannot be used again.
func (g *guard) spend(token string) bool {
	sum := sha256.Sum256([]byte(token))
	g.mutex.Lock()
	defer g.mutex.Unlock()
	until, known := g.tokens[sum]
	delete(g.tokens, sum)
	return known && g.now().Before(until)
}

// policy lets the page load its own files and nothing else, and lets nobody frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// protect answers requests of the browser that has exchanged a token, and no others.
func (g *guard) protect(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		below, ours := strings.CutPrefix(r.URL.Path, g.path+"/")
		switch entering := below == "in" && r.Method == http.MethodGet; {
		case !slices.Contains(g.hosts, strings.ToLower(r.Host)):
			http.Error(w, "this Host is not served", http.StatusForbidden)
		case !ours:
			http.Error(w, "open the address that hebb ui prints", http.StatusNotFound)
		case g.foreign(r, entering):
			http.Error(w, "another page may not ask here", http.StatusForbidden)
		case entering:
			g.enter(w, r)
		case !g.admitted(r):
			http.Error(w, "this address was opened before, or hebb ui was started again: run hebb ui and open what it prints", http.StatusUnauthorized)
		default:
			http.StripPrefix(g.path, inner).ServeHTTP(w, r)
		}
	})
}

// foreign reports whether another page is behind a request. Browsers say so; whoever is none needs the cookie as well. The one thing that
// another page may do is to lead here with a token: a link or a file opens the page.
func (g *guard) foreign(r *http.Request, entering bool) bool {
	origins := r.Header.Values("Origin")
	if slices.ContainsFunc(origins, func(o string) bool { return o != "http://"+strings.ToLower(r.Host) }) {
		return true
	}
	site := r.Header.Get("Sec-Fetch-Site")
	if entering {
		return site != "" && r.Header.Get("Sec-Fetch-Mode") != "navigate"
	}
	if site != "" && site != "same-origin" && !(site == "none" && r.Method == http.MethodGet) {
		return true
	}
	// What changes something is never sent by a form: those have three types, and none is JSON.
	return r.Method != http.MethodGet && (len(origins) == 0 || r.Header.Get("Content-Type") != "application/json")
}

func (g *guard) cookieName() string { return fmt.Sprintf("hebb-%d", g.port) }

func (g *guard) admitted(r *http.Request) bool {
	c, err := r.Cookie(g.cookieName())
	return err == nil && subtle.ConstantTimeCompare([]byte(c.Value), []byte(g.cookie)) == 1
}

// enter exchanges a token for the cookie. The page that follows is opened by this one: a browser that was led here by another page or a
// file would not send the cookie with a redirect.
func (g *guard) enter(w http.ResponseWriter, r *http.Request) {
	if !g.admitted(r) {
		if !g.spend(r.URL.Query().Get("token")) {
			http.Error(w, "this address was opened before or is too old: run hebb ui and open what it prints", http.StatusUnauthorized)
			return
		}
		http.SetCookie(w, &http.Cookie{
			Name: g.cookieName(), Value: g.cookie, Path: g.path + "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(`<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=./"><link rel="icon" href="data:,"><title>hebb</title>`))
}
