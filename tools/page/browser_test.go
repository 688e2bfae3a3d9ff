package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for something to appear before it fails.
const patience = 60 * time.Second

var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "hebb-page")
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "hebb")
	build := exec.Command("go", "build", "-o", file, "./cmd/hebb")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return file, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if file, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(file))
	}
	os.Exit(code)
}

// hebb runs a command on the memory.
func (m *memoryOf) hebb(args ...string) *exec.Cmd {
	m.t.Helper()
	file, err := program()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(m.t.Context()), file, args...)
	cmd.Dir = m.dir
	cmd.Env = []string{"HEBB_HOME=" + m.home, "HOME=" + m.t.TempDir(), "PATH=" + os.Getenv("PATH")}
	return cmd
}

// serve closes the memory and starts hebb ui on it. It returns the address that opens the page once.
func (m *memoryOf) serve() string {
	m.t.Helper()
	if err := m.Close(); err != nil {
		m.t.Fatal(err)
	}
	cmd := m.hebb("ui", "--no-open", "--json")
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stderr
		err = cmd.Start()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			m.t.Errorf("hebb ui ended with %v", err)
		}
	})
	var at struct{ URL string }
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&at); err != nil {
		m.t.Fatalf("the address of hebb ui: %v", err)
	}
	return at.URL
}

// tab is a browser with one page. What the page complains of, and where it asks for anything, is known at the end.
type tab struct {
	context.Context
	t        *testing.T
	base     string
	mutex    sync.Mutex
	problems []string
	asked    map[string]int // names of operations
}

// browse opens an address. The test fails if the page has an error, or asks anybody but hebb for anything.
func browse(t *testing.T, address string) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1280, 860))
	allocated, free := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, end := chromedp.NewContext(allocated)
	b := &tab{Context: ctx, t: t, asked: map[string]int{}}
	b.base, _, _ = strings.Cut(address, "in?token=")
	host := mustParse(t, address).Host
	messages, requests, answers := chromedp.Console(ctx), chromedp.Events(ctx, network.RequestWillBeSent), chromedp.Events(ctx, network.ResponseReceived)
	var readers sync.WaitGroup
	readers.Go(func() {
		for e, err := range answers {
			if err != nil {
				return
			}
			if e.Response.Status >= 400 {
				b.problem("%s answers %d", e.Response.URL, e.Response.Status)
			}
		}
	})
	readers.Go(func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == "warning" || m.Type == chromedp.ConsoleException {
				b.problem("the page complains: %s: %s", m.Type, m.Text)
			}
		}
	})
	readers.Go(func() {
		for e, err := range requests {
			if err != nil {
				return
			}
			to, err := url.Parse(e.Request.URL)
			if err != nil || to.Host != host && to.Scheme != "data" && to.Scheme != "file" {
				b.problem("the page asks for %s", e.Request.URL)
				continue
			}
			b.mutex.Lock()
			b.asked[filepath.Base(to.Path)]++
			b.mutex.Unlock()
		}
	})
	t.Cleanup(func() {
		end()
		free()
		readers.Wait()
		for _, p := range b.problems {
			t.Error(p)
		}
	})
	b.do(call(network.Enable, network.EnableParams{}), chromedp.Navigate(address), chromedp.WaitVisible(chromedp.CSS("#main")))
	return b
}

func (b *tab) problem(format string, args ...any) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.problems = append(b.problems, fmt.Sprintf(format, args...))
}

// call is a command of the browser as a step.
func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, command, params)
		return chromedp.Void{}, err
	}
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// do runs steps, which must succeed in time.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		text, _ := chromedp.Run(b, chromedp.Evaluate[string](`String(document.body?.innerText).slice(0, 3000)`))
		b.t.Fatalf("%v; the page shows:\n%s\n%s", err, text, strings.Join(b.problems, "\n"))
	}
}

// value is that of an expression, which may be a promise.
func value[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%.200s: %v", expression, err)
	}
	return v
}

// to goes to a page by what the address says of it.
func (b *tab) to(where string) {
	b.t.Helper()
	value[string](b, fmt.Sprintf("location.hash = %q", "#/"+where))
	b.do(chromedp.WaitVisible(chromedp.CSS("#main")))
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	b.do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		v, err := chromedp.Poll[bool]("!!("+expression+")", chromedp.WithPollingTimeout(patience), chromedp.WithPollingInterval(40*time.Millisecond))(ctx, target)
		if err == nil && !v {
			err = errors.New("it is not so")
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", expression, err)
		}
		return chromedp.Void{}, err
	})
}

// shows waits for a text.
func (b *tab) shows(text string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

func (b *tab) press(keys string) { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

func (b *tab) click(selector string) { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(selector))) }

// look sets the size of the window and the scheme of colours.
func (b *tab) look(width, height int64, scheme string) {
	b.t.Helper()
	b.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500}),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}}))
}

// settled waits until the page is loaded and was drawn twice.
func (b *tab) settled() {
	b.t.Helper()
	b.until("!document.querySelector('.loading')")
	value[bool](b, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 60))))`)
}

// picture writes what the window shows into a file, where pictures are wanted.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("HEBB_PICTURES")
	if dir == "" {
		return
	}
	shot, err := chromedp.Run(b, chromedp.CaptureScreenshot())
	if err == nil {
		shot, err = smaller(shot)
	}
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name+".png"), shot, 0o644))
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// smaller is a picture with 256 colours: the most frequent ones, where a bright one counts more than a grey, so that small signs keep theirs.
func smaller(shot []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	count := map[color.Color]uint32{}
	for y := range from.Bounds().Dy() {
		for x := range from.Bounds().Dx() {
			r, g, b, _ := from.At(x, y).RGBA()
			count[from.At(x, y)] += 1 + (max(r, g, b)-min(r, g, b))>>9
		}
	}
	colours := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int { return cmp.Compare(count[b], count[a]) })
	to := image.NewPaletted(from.Bounds(), color.Palette(colours[:min(len(colours), 256)]))
	draw.Draw(to, to.Bounds(), from, image.Point{}, draw.Src)
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to)
	return out.Bytes(), err
}
