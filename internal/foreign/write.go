package foreign

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

const (
	// exportMark is the key in the front matter of every file that hebb wrote; its value says what the file holds.
	exportMark = "hebb"
	// observed is the category that an export gives to observations.
	observed = "observation"
	// goneOut begins the type of an entity that holds crystals, for which the memory server has no form.
	goneOut = "hebb:"
)

// WriteMarkdown writes crystals, entities and relations as a folder of notes with links, one note each. Read can read it, without
// use counts and earlier observations. The same memory gives the same files. Files that hebb did not write, or that somebody
// changed since, are refused before anything is written; files of an earlier export that are no longer part of it are removed.
func WriteMarkdown(dir string, m Memory) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.done()
	files := exportFiles(m)
	var old []string
	for _, name := range append(f.ours("entities"), f.ours("memories")...) {
		if _, again := files[name]; !again {
			old = append(old, name)
		}
	}
	for _, name := range append(slices.Sorted(maps.Keys(files)), old...) {
		if err := f.replaceable(name); err != nil {
			return fmt.Errorf("export to %s: %w", dir, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := f.replace(name, files[name]); err != nil {
			return fmt.Errorf("export to %s: %w", dir, err)
		}
	}
	for _, name := range old {
		if err := f.remove(filepath.FromSlash(name)); err != nil {
			return fmt.Errorf("export to %s: %w", dir, err)
		}
	}
	return nil
}

// ours lists the files below a folder that carry the mark, links not followed.
func (f *folder) ours(dir string) []string {
	var names []string
	_ = fs.WalkDir(f.FS(), dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !isNote(name) {
			return nil //nolint:nilerr // what cannot be read is not ours to remove
		}
		if text, err := f.text(name); err == nil {
			if head, _ := cutFront(clean(text)); head.one(exportMark) != "" {
				names = append(names, name)
			}
		}
		return nil
	})
	return names
}

// replaceable refuses a file that is not as hebb left it.
func (f *folder) replaceable(name string) error {
	info, err := f.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode().IsRegular() {
		var text []byte
		if text, err = f.ReadFile(filepath.FromSlash(name)); err == nil { // an index may be larger than a note
			head, body := cutFront(strings.ReplaceAll(string(text), "\r\n", "\n"))
			if head.one(exportMark) != "" && head.one("hash") == fingerprint(body) {
				return nil
			}
			err = errors.New("it was not written by hebb, or was changed since")
		}
	}
	return fmt.Errorf("%s: %w; move it away or export to another folder: %w",
		name, cmp.Or(err, errors.New("it is not a plain file")), memory.ErrConflict)
}

// replace writes a file so that readers see the old one or the new one, whole.
func (f *folder) replace(name, text string) error {
	name = filepath.FromSlash(name)
	temp := filepath.Join(filepath.Dir(name), ".hebb-export.tmp")
	_ = f.remove(temp) // left by an export that was killed
	err := f.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = f.WriteFile(temp, []byte(text), 0o600)
	}
	if err == nil {
		err = filesys.Retry(func() error { return f.Rename(temp, name) })
	}
	return err
}

func (f *folder) remove(name string) error {
	return filesys.Retry(func() error { return f.Remove(name) })
}

func fingerprint(body string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(body)))
	return hex.EncodeToString(sum[:8])
}

// exportFiles is the whole export: slashed names and texts. An entity is a note in the form of basic-memory, with its observations and
// relations in a list; a memory is a note whose front matter says what kind it is and where it comes from.
func exportFiles(m Memory) map[string]string {
	files := map[string]string{}
	index := []string{"# Memory\n"}
	notes := map[string]string{} // of entities
	for _, e := range m.Entities {
		notes[e.Name] = "entities/" + slug(e.Name)
	}
	relations := map[string][]string{}
	for _, r := range m.Relations {
		to := cmp.Or(notes[r.To], shownInLink(r.To))
		relations[r.From] = append(relations[r.From], fmt.Sprintf("- %s [[%s|%s]]", shownInLink(r.Type), to, shownInLink(r.To)))
	}
	for _, e := range m.Entities {
		body := []string{"# " + shownInLink(e.Name), ""}
		for _, o := range e.Observations {
			if o.ValidTo.IsZero() {
				body = append(body, "- ["+observed+"] "+oneLine(o.Text))
			}
		}
		if links := relations[e.Name]; len(links) > 0 {
			slices.Sort(links)
			body = append(append(body, "", "## Relations", ""), links...)
		}
		files[notes[e.Name]+".md"] = exportFile("entity", strings.Join(body, "\n"),
			field{"title", e.Name}, field{"type", e.Type}, field{"created", exportTime(e.CreatedAt)})
		index = append(index, fmt.Sprintf("- [[%s|%s]]", notes[e.Name], shownInLink(e.Name)))
	}
	for _, c := range m.Crystals {
		text := clean(c.Text)
		name := path.Join("memories", string(c.Kind), slug(text))
		for files[name+".md"] != "" {
			name += "-" // the same text from another source
		}
		files[name+".md"] = exportFile("memory", text, field{"kind", string(c.Kind)}, field{"source", c.Source},
			field{"subject", c.Subject}, field{"lifecycle", string(c.Lifecycle)}, field{"created", exportTime(c.SaidAt)},
			field{"valid_to", exportTime(c.ValidTo)})
		first, _, _ := strings.Cut(text, "\n")
		index = append(index, fmt.Sprintf("- %s: [[%s|%s]]", c.Kind, name, shownInLink(first)))
	}
	files["index.md"] = exportFile("index", strings.Join(index, "\n"))
	return files
}

// field is a line of front matter.
type field struct{ key, value string }

func exportFile(mark, body string, fields ...field) string {
	var out strings.Builder
	fmt.Fprintf(&out, "---\n%s: %s\nhash: %q\n", exportMark, mark, fingerprint(body))
	for _, f := range fields {
		if f.value != "" {
			value, _ := json.Marshal(f.value) // a string always has a form
			fmt.Fprintf(&out, "%s: %s\n", f.key, value)
		}
	}
	out.WriteString("---\n" + strings.TrimSpace(body) + "\n")
	return out.String()
}

func exportTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// exported reads a memory that WriteMarkdown wrote. Of the lifecycle only an end is read: a file cannot make a crystal more than an import.
func (r *reading) exported(n note) {
	c := memory.Crystal{
		Project: r.opts.Project, Kind: memory.CrystalKind(n.front.one("kind")), Subject: n.front.one("subject"), Text: n.body,
		SaidAt: n.said, ValidTo: moment(n.front.one("valid_to"), nil), Source: cmp.Or(clean(n.front.one("source")), r.source(n.name, "")),
	}
	if !slices.Contains(memory.CrystalKinds, c.Kind) {
		c.Kind = memory.Fact
	}
	if ended := memory.Lifecycle(n.front.one("lifecycle")); ended == memory.Archived || ended == memory.Expired {
		c.Lifecycle = ended
	}
	r.crystal(c)
}

// slug is a file name for a name, on every system. A name that it does not spell whole gets a hash, so that two names
// never share a file, whatever the system thinks of case and accents.
func slug(name string) string {
	short := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return '-'
	}, name)
	for strings.Contains(short, "--") {
		short = strings.ReplaceAll(short, "--", "-")
	}
	runes := []rune(strings.Trim(short, "-"))
	short = strings.Trim(string(runes[:min(len(runes), 48)]), "-")
	if short == name && !reserved(short) {
		return short
	}
	sum := sha256.Sum256([]byte(name))
	return strings.TrimPrefix(short+"-"+hex.EncodeToString(sum[:4]), "-")
}

// reserved are names that Windows gives to devices, whatever follows a dot.
func reserved(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt"))
}

// shownInLink is a name without the characters that mean something in a link.
func shownInLink(name string) string {
	return oneLine(strings.Map(func(c rune) rune {
		if strings.ContainsRune("[]|#^<>`", c) {
			return ' '
		}
		return c
	}, name))
}

// WriteMCPMemory writes the file of the reference memory server. It has entities and relations only: living crystals
// become observations of one entity for each kind, which readMCPMemory knows again.
func WriteMCPMemory(w io.Writer, m Memory) error {
	out := bufio.NewWriter(w)
	line := json.NewEncoder(out)
	line.SetEscapeHTML(false)
	entity := func(name, kind string, said []string) error {
		return line.Encode(map[string]any{"type": "entity", "name": name, "entityType": kind, "observations": said})
	}
	for _, e := range m.Entities {
		texts := []string{}
		for _, o := range e.Observations {
			if o.ValidTo.IsZero() {
				texts = append(texts, clean(o.Text))
			}
		}
		if err := entity(e.Name, e.Type, texts); err != nil {
			return err
		}
	}
	texts := map[memory.CrystalKind][]string{}
	for _, c := range m.Crystals {
		if text := clean(c.Text); c.Lifecycle.Living() && c.ValidTo.IsZero() && !slices.Contains(texts[c.Kind], text) {
			texts[c.Kind] = append(texts[c.Kind], text)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(texts)) {
		if err := entity("hebb "+string(kind), goneOut+string(kind), texts[kind]); err != nil {
			return err
		}
	}
	for _, r := range m.Relations {
		err := line.Encode(map[string]any{"type": "relation", "from": r.From, "to": r.To, "relationType": r.Type})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}
