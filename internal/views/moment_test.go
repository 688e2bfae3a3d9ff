package views

import (
	"fmt"
	"github.com/hebb-memory/hebb/internal/must"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// marker is what an edit says. It counts only whole.
var marker = regexp.MustCompile(`\[edit \d+ of [a-z ]+\.\]`)

func markerOf(n int, style string) string { return fmt.Sprintf("[edit %d of %s.]", n, style) }

// keeper is a caller: it takes edits in, remembers what it knows of the view, and renders it anew.
type keeper struct {
	mu     sync.Mutex
	last   string
	taken  map[string]bool
	order  []string
	rounds int
}

// shown is how many edits a rendered view holds at most, so that the views of a long race stay below the largest size.
const shown = 1000

func (k *keeper) known() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.last
}

func (k *keeper) take(found Found) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.taken == nil {
		k.taken = map[string]bool{}
	}
	for _, e := range found.Edits {
		for _, m := range marker.FindAllString(e.Text, -1) {
			if !k.taken[m] {
				k.taken[m] = true
				k.order = append(k.order, m)
			}
		}
	}
	k.last = found.Text
}

func (k *keeper) render() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.rounds++
	return fmt.Sprintf("# Round %d\n%s\n", k.rounds, strings.Join(k.order[max(0, len(k.order)-shown):], "\n"))
}

func (k *keeper) wrote(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last = text
}

func (k *keeper) has(m string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.taken[m]
}

// round is one regeneration; it says whether there was anything to take in.
func (k *keeper) round(v Vault, name string) (news bool, err error) {
	found, err := v.Edits(name, k.known())
	if err != nil {
		return false, err
	}
	k.take(found)
	for _, e := range found.Edits {
		if err := e.Done(); err != nil {
			return false, err
		}
	}
	next := k.render()
	replaced, err := v.Replace(name, found.Text, next)
	if replaced {
		k.wrote(next)
	}
	return len(found.Edits) > 0 || !replaced, err
}

// settle regenerates until nothing new turns up.
func (k *keeper) settle(t *testing.T, v Vault, name string) {
	t.Helper()
	for range 10 {
		news := must.Get(k.round(v, name))(t)
		if !news {
			return
		}
	}
	t.Fatal("edits without end")
}

// An editing is the beginning of an edit; calling it is the end. In between the editor has the file open, or has a text that
// is getting old.
type editing func() error

// styles are how editors write.
var styles = map[string]func(file, text string) (editing, error){
	"rename": func(file, text string) (editing, error) {
		old, _ := os.ReadFile(file) // none is as good as an empty one
		return func() error {
			fresh := file + ".tmp~"
			if err := os.WriteFile(fresh, append(old, text...), 0o644); err != nil {
				return err
			}
			return os.Rename(fresh, file)
		}, nil
	},
	"in place": func(file, text string) (editing, error) {
		old, _ := os.ReadFile(file)
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return nil, err
		}
		whole := string(old) + text
		half := len(whole) - len(text)/2 // in the middle of what is new
		_, err = f.WriteString(whole[:half/2])
		return func() error {
			_, err1 := f.WriteString(whole[half/2 : half])
			_, err2 := f.WriteString(whole[half:])
			return firstError(err, err1, err2, f.Close())
		}, nil
	},
	"truncate": func(file, text string) (editing, error) {
		old, _ := os.ReadFile(file)
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
		if err != nil {
			return nil, err
		}
		return func() error {
			_, err := f.WriteString(string(old) + text)
			return firstError(err, f.Close())
		}, nil
	},
	"append": func(file, text string) (editing, error) {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
		if err != nil {
			return nil, err
		}
		return func() error {
			_, err := f.WriteString(text)
			return firstError(err, f.Close())
		}, nil
	},
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// stepsOf are the steps of a look, a replacement and a removal, in order.
func stepsOf(t *testing.T, m means, there bool) (steps []string) {
	t.Helper()
	v, _ := newVault(t)
	v.means = m
	if there {
		replace(t, v, view1, "", "old", true)
	}
	v.step = func(step string) { steps = append(steps, step) }
	k := &keeper{}
	must.Get(k.round(v, view1))(t)
	must.Get(v.Remove(view1, k.last))(t)
	return steps
}

// An editor begins at any step of hebb and ends at once, a step later or when all is over, on every kind of file system.
func TestNoEditIsLostAtAnyMoment(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there the system refuses to touch a file that an editor has open
	}
	for _, m := range []means{exchanging, linking, creating} {
		for _, there := range []bool{true, false} {
			steps := stepsOf(t, m, there)
			if len(steps) < 8 {
				t.Fatalf("only %v", steps)
			}
			for style, begin := range styles {
				t.Run(fmt.Sprint(m, there, style), func(t *testing.T) {
					t.Parallel()
					for first := range steps {
						for _, last := range []int{first, first + 1, len(steps)} {
							editAt(t, m, there, len(steps), begin, first, last)
						}
					}
				})
			}
		}
	}
}

func editAt(t *testing.T, m means, there bool, steps int, begin func(file, text string) (editing, error), first, last int) {
	t.Helper()
	v, clock := newVault(t)
	v.means = m
	k := &keeper{}
	if there {
		replace(t, v, view1, "", "old", true)
		k.last = "old"
	} else if err := os.MkdirAll(filepath.Dir(v.file(view1)), 0o700); err != nil {
		t.Fatal(err)
	}
	var end editing
	mark, now := markerOf(first*100+last, "moments"), 0
	act := func(string) {
		var err error
		if now == first {
			end, err = begin(v.file(view1), mark)
		}
		if now == last && err == nil {
			err = end()
		}
		if err != nil {
			t.Fatalf("the editor, from %d to %d: %v", first, last, err)
		}
		now++
	}
	stepping := v
	stepping.step = act
	_, err := k.round(stepping, view1)
	if err == nil && now < steps {
		_, err = stepping.Remove(view1, k.last)
	}
	if err != nil {
		t.Fatal(err)
	}
	for now <= last { // it took fewer steps because of the edit
		act("")
	}
	k.settle(t, v, view1)
	if !k.has(mark) {
		t.Errorf("means %d, there %v: an edit from step %d to %d is lost", m, there, first, last)
	}
	clock.pass(v.Grace)
	k.settle(t, v, view1)
	clock.pass(v.Grace)
	if found := look(t, v, view1, k.last); len(found.Edits) != 0 || len(private(t, v)) != 0 {
		t.Errorf("means %d, there %v, step %d to %d: left %v", m, there, first, last, private(t, v))
	}
}

// hebb is killed before each of its steps, with and without an editor at work.
func TestAKilledProcessLosesNothingAndInventsNothing(t *testing.T) {
	t.Parallel()
	type killed struct{}
	for _, m := range []means{exchanging, linking, creating} {
		for _, there := range []bool{true, false} {
			for at, step := range stepsOf(t, m, there) {
				for _, style := range []string{"", "in place", "append", "rename"} {
					if runtime.GOOS == "windows" && style != "" {
						continue // there the system refuses to touch a file that an editor has open
					}
					name := fmt.Sprintf("means %d, there %v, killed before %s (%d), editor %s", m, there, step, at, style)
					v, clock := newVault(t)
					v.means = m
					k := &keeper{}
					if there {
						replace(t, v, view1, "", "old", true)
						k.last = "old"
					} else if err := os.MkdirAll(filepath.Dir(v.file(view1)), 0o700); err != nil {
						t.Fatal(err)
					}
					var end editing
					if style != "" {
						var err error
						if end, err = styles[style](v.file(view1), markerOf(at, "survivors")); err != nil {
							t.Fatal(err)
						}
					}
					func() {
						defer func() {
							if p := recover(); p != nil && p != (killed{}) {
								panic(p)
							}
						}()
						dying, steps := v, 0
						dying.step = func(string) {
							if steps == at {
								panic(killed{})
							}
							steps++
						}
						if _, err := k.round(dying, view1); err == nil {
							_, _ = dying.Remove(view1, k.last)
						}
					}()
					if end == nil {
						for range 3 { // however often and late it is looked at
							if found := look(t, v, view1, k.last); len(found.Edits) != 0 {
								t.Errorf("%s: invented %q", name, edits(found))
							}
							clock.pass(v.Grace)
						}
					} else if err := end(); err != nil {
						t.Fatal(err)
					}
					clock.pass(v.Grace)
					k.settle(t, v, view1)
					if end != nil && !k.has(markerOf(at, "survivors")) {
						t.Errorf("%s: lost", name)
					}
					clock.pass(v.Grace)
					if found := look(t, v, view1, k.last); len(found.Edits) != 0 || len(private(t, v)) != 0 || found.Text != k.last {
						t.Errorf("%s: %q, edits %q, left %v", name, found.Text, edits(found), private(t, v))
					}
				}
			}
		}
	}
}

// The latest moment of all: the copy has served its time and is about to go.
func TestWhatIsWrittenWhileACopyIsRemovedIsKept(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there the system refuses to touch a file that an editor has open
	}
	v, clock := newVault(t)
	write(t, v.file(view1), "one")
	end := must.Get(styles["append"](v.file(view1), "+late"))(t)
	replace(t, v, view1, "one", "two", true)
	clock.pass(v.Grace)
	ended, sweeping := 0, v
	sweeping.step = func(step string) {
		if step == "sweep" {
			ended++
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	}
	look(t, sweeping, view1, "two")
	if ended != 1 {
		t.Fatalf("%d copies were about to go", ended)
	}
	expect(t, v, "two", "two", "one+late<one")
}

// What two processes at once put in the place of the same text is known to be hebb's, not a person's.
func TestTwoAtOnceDoNotTakeEachOtherForPeople(t *testing.T) {
	t.Parallel()
	for _, m := range []means{exchanging, linking, creating} {
		v, _ := newVault(t)
		v.means = m
		replace(t, v, view1, "", "one", true)
		slow := v
		slow.step = func(step string) {
			if step == "exchange" || step == "retire" {
				replace(t, v, view1, "one", "quick", true)
			}
		}
		replace(t, slow, view1, "one", "slow", true)
		expect(t, v, "slow", "slow", "")
	}
}

// Editors of each style work while hebb regenerates. Each has a view of its own, for two editors overwrite each other's
// text without any help. HEBB_RACE=60s makes it a long race.
func TestEditorsAgainstARegenerator(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there the system refuses to touch a file that an editor has open
	}
	for style := range styles {
		for _, m := range []means{exchanging, linking, creating} {
			t.Run(fmt.Sprint(style, m), func(t *testing.T) {
				t.Parallel()
				edits := 300
				if m != exchanging {
					edits = 100
				}
				race(t, style, m, 1, edits)
			})
		}
	}
}

// Two that regenerate one view without a lease lose nothing either.
func TestEditorsAgainstTwoRegenerators(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // there the system refuses to touch a file that an editor has open
	}
	for style := range styles {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			race(t, style, exchanging, 2, 100)
		})
	}
}

func race(t *testing.T, style string, m means, regenerators, edits int) {
	t.Helper()
	goOn := func(said int) bool { return said < edits }
	if text := os.Getenv("HEBB_RACE"); text != "" {
		length := must.Get(time.ParseDuration(text))(t)
		end := time.Now().Add(length)
		goOn = func(int) bool { return time.Now().Before(end) }
	}
	v := Vault{Dir: t.TempDir(), Grace: 2 * time.Second, Now: time.Now, means: m}
	if runtime.GOOS == "linux" {
		v.Grace /= 10 // here hebb sees who has a copy open
	}
	name := "views/" + strings.ReplaceAll(style, " ", "-") + ".md"
	k, turns := &keeper{}, make(chan bool)
	must.Get(k.round(v, name))(t)
	said := 0
	var finished atomic.Bool
	var work, editor sync.WaitGroup
	editor.Go(func() { // edits at steps drawn by lot, and goes on while hebb does
		defer finished.Store(true)
		for goOn(said) {
			<-turns
			end, err := styles[style](v.file(name), markerOf(said, style)+"\n")
			if err == nil {
				runtime.Gosched()
				err = end()
			}
			if err != nil {
				t.Errorf("the editor: %v", err)
				return
			}
			said++
		}
	})
	for seed := range regenerators {
		work.Go(func() {
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			stepping := v
			stepping.step = func(string) {
				if r.IntN(2) == 0 {
					return
				}
				select {
				case turns <- true:
				default:
				}
			}
			for !finished.Load() {
				if _, err := k.round(stepping, name); err != nil {
					t.Errorf("regenerate: %v", err)
					for !finished.Load() { // let the editor end
						select {
						case turns <- true:
						default:
							runtime.Gosched()
						}
					}
				}
			}
		})
	}
	editor.Wait()
	work.Wait()
	k.settle(t, v, name)
	var lost []int
	for n := range said {
		if !k.has(markerOf(n, style)) {
			lost = append(lost, n)
		}
	}
	if len(lost) > 0 {
		t.Errorf("lost %d of %d edits: %v", len(lost), said, lost[:min(len(lost), 10)])
	}
	text, err := v.Read(name)
	if err != nil || len(marker.FindAllString(text, -1)) != min(said, shown) || !slices.Contains(k.order, markerOf(said-1, style)) {
		t.Errorf("the view shows %d of %d edits: %v", len(marker.FindAllString(text, -1)), said, err)
	}
	t.Logf("%s, means %d, %d at once: %d edits, %d lost, %d rounds", style, m, regenerators, said, len(lost), k.rounds)
}
