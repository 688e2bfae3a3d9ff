package agent

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/tuning"
)

func listed(touches []memory.Touch) string {
	var list []string
	for _, t := range touches {
		list = append(list, string(t.Kind)+" "+strings.TrimPrefix(t.Path, "/p/"))
	}
	return strings.Join(list, ", ")
}

func TestFilesOfCommands(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"cat reads", "cat a.go b.go", "read a.go, read b.go"},
		{"options are no files", "head -n 20 a.go; tail -c 5 b.go", "read a.go, read b.go"},
		{"a file may have any name", "cat LICENSE", "read LICENSE"},
		{"names may be quoted", `cat "my file.go" 'b c.go' d\ e.go`, "read my file.go, read b c.go, read d e.go"},
		{"sed reads after its script", "sed -n '1,80p' a.go", "read a.go"},
		{"sed reads after scripts of options", "sed -n -e 1p -e 3p a.go", "read a.go"},
		{"sed writes in place", "sed -i 's/a/b/' a.go", "edit a.go"},
		{"sed of a Mac writes in place", "sed -i '' 's/a/b/' a.go", "edit a.go"},
		{"awk reads after its program", "awk -F : '{print $1}' a.txt", "read a.txt"},
		{"what is only searched is not read", "grep -rn -A 3 'x y' a.go internal ./cmd/; rg -t go -e x b.go", "mention a.go, mention b.go"},
		{"grep after a pipe has no files", "cat a.go | grep b.go", "read a.go"},
		{"text for a file", "echo x > a.txt", "edit a.txt"},
		{"text added to a file", "printf x >>a.txt", "edit a.txt"},
		{"a here-document is not read", "cat > a.go <<'EOF'\ncat b.go\nEOF\ncat c.go", "edit a.go, read c.go"},
		{"a here-document with tabs", "cat <<-END > a.txt\n\tcat b.go\n\tEND\ncat c.go", "edit a.txt, read c.go"},
		{"logs are nobody's work", "make > build.log 2>&1; make | tee out.txt; go test ./... 2> err.txt &> all.txt", ""},
		{"what is thrown away is no file", "cat a.go > /dev/null 2>&1", "read a.go"},
		{"input from a file", "wc -l < a.go", "read a.go"},
		{"text in place of a file", "cat <<< a.go", ""},
		{"rm deletes", "rm -f a.go b.go", "delete a.go, delete b.go"},
		{"rm of folders is not followed", "rm -rf build dist.d", ""},
		{"mv writes and deletes", "mv a.go b.go", "edit b.go, delete a.go"},
		{"mv into a folder is not followed", "mv a.go b.go internal; mv a.go sub", ""},
		{"cp reads and writes", "cp a.go b.go", "edit b.go, read a.go"},
		{"git mv and rm", "git mv a.go b.go && git rm c.go && git rm --cached d.go", "edit b.go, delete a.go, delete c.go"},
		{"git after its marker", "git diff v1.2 -- a.go; git log -p v1.2.3; git -C sub add x.go", "mention a.go, mention sub/x.go"},
		{"what git knows by another name", "git show HEAD:a.go", ""},
		{"cd leads", "cd sub && cat a.go", "read sub/a.go"},
		{"cd leads only inside its parentheses", "(cd sub && cat a.go); cat b.go", "read sub/a.go, read b.go"},
		{"cd to nobody knows where", `cd "$DIR" && cat a.go; cat /x/b.go`, "read /x/b.go"},
		{"cd home", "cd; cat a.go", ""},
		{"cd up", "cd ../q && cat a.go", "read /q/a.go"},
		{"a shell in the shell", `bash -lc "cat a.go && cat 'b.go'"`, "read a.go, read b.go"},
		{"words before the program", "FOO=1 sudo env A=b cat a.go", "read a.go"},
		{"a path before the program", "/usr/bin/cat a.go", "read a.go"},
		{"braces and conditions", "if true; then { cat a.go; }; fi", "read a.go"},
		{"a command in a command", "echo $(cat a.go)", "read a.go"},
		{"what a shell expands is not known", "cat *.go ~/x.go $F a{1,2}.go `ls`", ""},
		{"quotes keep it from being expanded", "cat 'app/[id]/page.tsx'", "read app/[id]/page.tsx"},
		{"comments are none", "cat a.go # cat b.go\n# cat c.go", "read a.go"},
		{"addresses are no files", "cat https://x.org/a.html", ""},
		{"a line goes on", "cat a.go \\\n  b.go", "read a.go, read b.go"},
		{"other programs are not known", "go test ./a_test.go && python b.py && ls c.d", ""},
		{"apply_patch from the shell", "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.go\n+cat b.go\n*** End Patch\nEOF", "edit a.go"},
		{"a quote that never ends", "cat 'a.go", "read a.go"},
		{"nothing", " \n;|&", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := touchList{limit: 50}
			l.addCommand(c.line, "/p")
			if got := listed(l.touches); got != c.want {
				t.Errorf("%s: %q, want %q", c.line, got, c.want)
			}
		})
	}
}

// Claude Code reports the folder as it is after the command.
func TestAFolderThatWasChangedAlreadyIsNotChangedAgain(t *testing.T) {
	l := touchList{limit: 50}
	l.addCommand("cd internal/agent && cat a.go", "/p/internal/agent")
	if got := listed(l.touches); got != "read internal/agent/a.go" {
		t.Error(got)
	}
}

func TestAnyCommandLineGivesWholePaths(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	pieces := strings.Fields(`cat sed -i rm mv git -- > >> < << <<< <<EOF EOF 'a b' "c $d" ( ) { } | || && ; & # \ a.go ../b.go /c/d.go *.go $(x) cd bash -c 2>&1 é 世`)
	pieces = append(pieces, "\n", " ", "'", `"`, "\\", "\x00", "\xff")
	for range 20_000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			if r.IntN(3) > 0 {
				b.WriteByte(' ')
			}
		}
		l := touchList{limit: 5}
		l.addCommand(b.String(), "/p")
		if len(l.touches) > 5 {
			t.Fatalf("%q: %d touches", b.String(), len(l.touches))
		}
		for _, touch := range l.touches {
			if !strings.HasPrefix(touch.Path, "/") || strings.ContainsAny(touch.Path, "\x00\n") {
				t.Fatalf("%q: %q", b.String(), touch.Path)
			}
		}
	}
}

func TestFilesOfPatches(t *testing.T) {
	for _, c := range []struct{ name, patch, want string }{
		{"what is added, changed and deleted", "*** Begin Patch\n*** Add File: a.go\n+x\n*** Update File: b.go\n@@\n-*** Add File: no.go\n+y\n*** Delete File: c.go\n*** End Patch", "edit a.go, edit b.go, delete c.go"},
		{"a file that moves", "*** Begin Patch\n*** Update File: a.go\n*** Move to: sub/b.go\n*** End Patch", "edit sub/b.go, delete a.go"},
		{"lines of Windows", "*** Begin Patch\r\n*** Add File: a.go\r\n+x\r\n*** End Patch\r\n", "edit a.go"},
		{"a move from nowhere", "*** Begin Patch\n*** Move to: b.go\n*** End Patch", ""},
		{"nothing", "*** Begin Patch\n*** End Patch", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := touchList{limit: 50}
			l.addPatch(patchLines(c.patch, patchSign), "/p")
			if got := listed(l.touches); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// The last header of a patch stands after megabytes of its text.
func TestALongPatchLosesNoFile(t *testing.T) {
	text := strings.Repeat(`+a line that is added\n`, 100_000)
	source := `{"session_id":"s","turn_id":"t","model":"m","cwd":"/p","hook_event_name":"PostToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n*** Add File: a.go\n` +
		text + `*** Update File: b.go\n` + text + `*** Delete File: c.go\n*** End Patch\n"},"tool_response":"Exit code: 0","tool_use_id":"u"}`
	seen, ok, err := Decode(Codex, strings.NewReader(source), nothing, tuning.Default().Capture, 16*megabyte)
	if !ok || err != nil || listed(seen.Event.Touches) != "edit a.go, edit b.go, delete c.go" || seen.Event.Input != "" {
		t.Errorf("%+v, %v, %v", seen, ok, err)
	}
}

func TestAPatchOfTooManyFilesNamesNoHalfFile(t *testing.T) {
	patch := patchMark + "\n"
	for i := range 10_000 {
		patch += fmt.Sprintf("*** Add File: folder/file%d.go\n+x\n", i)
	}
	if text := patchLines(patch, patchSign); len(text) > patchLimit || !strings.HasSuffix(text, ".go\n") {
		t.Errorf("%d bytes, … %q", len(text), text[len(text)-40:])
	}
}

// A prompt that begins like a patch is what a person said, and is kept.
func TestOnlyCommandsArePatches(t *testing.T) {
	seen, _ := decode(t, `{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"*** Begin Patch\nis what I got"}`)
	if seen.Event.Text != "*** Begin Patch\nis what I got" {
		t.Errorf("%q", seen.Event.Text)
	}
}

func TestACommandThatIsCutIsReadUpToTheCut(t *testing.T) {
	long := "cat first.go && " + strings.Repeat("echo word ", 2000) + " && cat last.go"
	seen, _ := decode(t, toolPayload("Bash", `"tool_input":{"command":"`+long+`"}`))
	if got := listed(seen.Event.Touches); got != "read /home/dev/proj/first.go" {
		t.Error(got)
	}
}

func TestWhatIsPrivateInACommandNamesNoFile(t *testing.T) {
	token := "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
	seen, ok := decode(t, toolPayload("Bash", `"tool_input":{"command":"cat a.go <private>&& cat CANARY.go</private> && cat `+token+`"}`))
	if got := listed(seen.Event.Touches); !ok || strings.Contains(got, "CANARY") || strings.Contains(got, token) || !strings.HasPrefix(got, "read /home/dev/proj/a.go") {
		t.Error(got)
	}
}

func TestFilesInAnswers(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"names", "./a.go\nsub/b.go\n", "mention a.go, mention sub/b.go"},
		{"names before the number of a line", "a.go:3:func main() {\na.go:4:x\nb.go:1:y", "mention a.go, mention b.go"},
		{"names as titles", "/p/a.go:\n  Line 3: func main()", "mention a.go"},
		{"sentences around them", "Found 2 file(s) matching:\n/p/a b.go\nNothing else.", "mention a b.go"},
		{"names of Windows", `C:\src\a.go:12:x`, `mention C:\src\a.go`},
		{"what was cut out", "/p/a.go\n/p/b… [988 bytes cut] …c.go\n/p/d.go", "mention a.go, mention d.go"},
		{"folders", "internal\nsub/\n..\n.\n", ""},
		{"nothing", "", ""},
	} {
		l := touchList{limit: 50}
		l.addLines(c.text, "/p")
		if got := listed(l.touches); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFilesThatCommandsPrint(t *testing.T) {
	for _, c := range []struct{ command, printed, want string }{
		{"rg -n main", `cmd/a.go:3:func main() {\nb.go:12:// os.Open\n4-\tx.y`, "mention /home/dev/proj/cmd/a.go, mention /home/dev/proj/b.go"},
		{"grep -rl main . | head", `./cmd/a.go\n./sub/b.py`, "mention /home/dev/proj/cmd/a.go, mention /home/dev/proj/sub/b.py"},
		{"cd sub && git grep -n main", `x/a.go:3:x`, "mention /home/dev/proj/sub/x/a.go"},
		{"git diff --name-only", `cmd/a.go\ncmd/b.go`, "mention /home/dev/proj/cmd/a.go, mention /home/dev/proj/cmd/b.go"},
		{"go vet ./... 2>&1 | tail", `# shop\ncmd/a.go:3:5: undefined: x\nvet: b/c.go`, "mention /home/dev/proj/cmd/a.go"},
		{"rg -t go -n main cmd/a.go", `3:func main() {\n12:x/y.go`, "mention /home/dev/proj/cmd/a.go"},
		{"grep -oh 'os[.].*' b.go", `os.Open\nos.Open:x`, "mention /home/dev/proj/b.go"},
		{"curl -s x", `http://a.com:80/b.html\nhttp://a.com/b.html\nlib/a.go\n12:30:05 ok`, ""},
		{"cat a.go", `import \"x/y.go\"`, "read /home/dev/proj/a.go"},
	} {
		seen, ok := decode(t, toolPayload("Bash", `"tool_input":{"command":"`+c.command+`"},"tool_response":{"stdout":"`+c.printed+`"}`))
		if got := listed(seen.Event.Touches); !ok || got != c.want {
			t.Errorf("%s: %q, want %q", c.command, got, c.want)
		}
	}
	seen, _ := decode(t, toolPayload("Grep", `"tool_input":{"pattern":"x","path":"/home/dev/proj/cmd/a.go"},"tool_response":{"content":"3:x"}`))
	if got := listed(seen.Event.Touches); got != "mention /home/dev/proj/cmd/a.go" {
		t.Errorf("a search in one file: %q", got)
	}
	seen, _ = decode(t, toolPayload("Grep", `"tool_input":{"pattern":"x","path":"/home/dev/proj/cmd"},"tool_response":{"filenames":["b.go"]}`))
	if got := listed(seen.Event.Touches); got != "mention /home/dev/proj/b.go" {
		t.Errorf("a search in a folder: %q", got)
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		text, mark string
		want       int
	}{
		{"Output: x\nExit Code: 3\nProcess Group PGID: 1", "Exit Code: ", 3},
		{"Exit Code: 1\nmore\nExit Code: 0", "Exit Code: ", 0},
		{"Exit Code: -1", "Exit Code: ", 1},
		{"Exit Code: none", "Exit Code: ", 0},
		{"Exit Code: ", "Exit Code: ", 0},
		{"fine", "Exit Code: ", 0},
		{"x\n<shellId: 0 completed with exit code 127", "completed with exit code ", 127},
	} {
		if got := exitCode(c.text, c.mark); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}
