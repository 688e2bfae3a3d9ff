package foreign

import (
	"bufio"
	"bytes"
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
	// exportSize is where a file of an export is continued in the next: small enough for every editor and for maxNote.
	exportSize = 1 << 20
	// goneOut begins the type of an entity that holds crystals, for which the memory server has no form.
	goneOut = "hebb:"

	opened = "<!-- hebb "
	closed = "<!-- /hebb -->"
	ended  = " -->"
)

// WriteMarkdown writes crystals, entities and relations as a folder of notes with links, which the vault reader reads
// back: one note for each entity, one for each kind of crystal and month. Use counts and links of files are not notes
// and stay out. The same memory gives the same files. Files that hebb did not write, or that somebody changed since, are
// refused before anything is written; files of an earlier export that are no longer part of it are removed.
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
		var text string
		if text, err = f.text(name); err == nil {
			head, body := cutFront(strings.ReplaceAll(text, "\r\n", "\n"))
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
	if err := f.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	temp := filepath.Join(filepath.Dir(name), ".hebb-export.tmp")
	if err := f.remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // left by an export that was killed
	}
	out, err := f.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.WriteString(text)
	if err = errors.Join(err, out.Sync(), out.Close()); err == nil {
		err = filesys.Retry(func() error { return f.Rename(temp, name) })
	}
	if err != nil {
		_ = f.remove(temp)
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

// exportFiles is the whole export: slashed names and texts.
func exportFiles(m Memory) map[string]string {
	files := map[string]string{}
	index := []string{"# Memory\n"}
	entities, names := exportEntities(files, m)
	for _, e := range entities {
		index = append(index, fmt.Sprintf("- [[%s|%s]]", names[e], shownInLink(e)))
	}
	groups := map[string][]memory.Crystal{}
	for _, c := range m.Crystals {
		month := "undated"
		if !c.SaidAt.IsZero() {
			month = c.SaidAt.UTC().Format("2006-01")
		}
		name := path.Join("memories", string(c.Kind), month)
		groups[name] = append(groups[name], c)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		exportCrystals(files, name, groups[name])
		index = append(index, fmt.Sprintf("- [[%s|%s, %s]]", name, path.Base(path.Dir(name)), path.Base(name)))
	}
	files["index.md"] = exportFile("index", nil, strings.Join(index, "\n"))
	return files
}

func exportFile(mark string, fields [][2]string, body string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "---\n%s: %s\nhash: %q\n", exportMark, mark, fingerprint(body))
	for _, field := range fields {
		if field[1] != "" {
			fmt.Fprintf(&out, "%s: %s\n", field[0], strictJSON(field[1]))
		}
	}
	out.WriteString("---\n" + strings.TrimSpace(body) + "\n")
	return out.String()
}

// keptObservation, keptRelation and keptCrystal are stored in a comment beside the text for the import.
type keptObservation struct {
	Confidence float64   `json:"confidence,omitempty"`
	SaidAt     time.Time `json:"said_at,omitzero"`
	ValidTo    time.Time `json:"valid_to,omitzero"`
}

type keptRelation struct {
	To        string    `json:"to"`
	Type      string    `json:"type"`
	CreatedAt time.Time `json:"created_at,omitzero"`
}

type keptCrystal struct {
	Source     string           `json:"source,omitempty"`
	Subject    string           `json:"subject,omitempty"`
	Importance float64          `json:"importance,omitempty"`
	Lifecycle  memory.Lifecycle `json:"lifecycle,omitempty"`
	Anchors    []memory.Anchor  `json:"anchors,omitempty"`
	SaidAt     time.Time        `json:"said_at,omitzero"`
	ValidTo    time.Time        `json:"valid_to,omitzero"`
	LastAt     time.Time        `json:"last_at,omitzero"`
	Accesses   int64            `json:"accesses,omitempty"`
}

// strictJSON leaves no < or > in its output, so no text can end a comment.
func strictJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "{}" // a figure that is no number; everything else can be written
	}
	return string(raw)
}

func exportEntities(files map[string]string, m Memory) (order []string, names map[string]string) {
	entities := map[string]memory.Entity{}
	relations := map[string][]memory.Relation{}
	for _, e := range m.Entities {
		entities[e.Name] = e
	}
	for _, r := range m.Relations {
		relations[r.From] = append(relations[r.From], r)
	}
	ends := slices.Collect(maps.Keys(entities))
	for from := range relations {
		if _, known := entities[from]; !known {
			ends = append(ends, from)
		}
	}
	slices.Sort(ends)
	names = map[string]string{}
	taken := map[string]bool{}
	for _, name := range ends {
		file := "entities/" + slug(name)
		for taken[file] {
			file += "-" // two hashes of 32 bits that agree
		}
		taken[file] = true
		names[name] = file
	}
	for _, name := range ends {
		e, known := entities[name]
		mark := "entity"
		if !known {
			mark = "relations" // something is said of its relations, and of itself nothing
		}
		var items []string
		for _, o := range e.Observations {
			text := strings.ReplaceAll(escaped(clean(o.Text)), "\n", "\n  ")
			items = append(items, "- "+text+" "+opened+strictJSON(keptObservation{o.Confidence, o.SaidAt, o.ValidTo})+ended)
		}
		links := slices.Clone(relations[name])
		slices.SortFunc(links, func(a, b memory.Relation) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.To, b.To)) })
		for i, r := range links {
			line := fmt.Sprintf("- %s [[%s]] %s%s%s", shownInLink(r.Type), linkTo(r.To, names), opened,
				strictJSON(keptRelation{r.To, r.Type, r.CreatedAt}), ended)
			if i == 0 {
				line = "\n## Relations\n\n" + line
			}
			items = append(items, line)
		}
		for part, text := range parts(items) {
			if part > 0 && strings.Contains(text, opened+`{"to"`) && !strings.Contains(text, "\n## Relations\n") {
				text = "\n## Relations\n\n" + text
			}
			created := ""
			if !e.CreatedAt.IsZero() {
				created = e.CreatedAt.UTC().Format(time.RFC3339Nano)
			}
			files[partName(names[name], part)] = exportFile(mark, [][2]string{{"title", name}, {"type", e.Type}, {"created", created}},
				"# "+shownInLink(name)+"\n\n"+text)
		}
	}
	return ends, names
}

func linkTo(name string, names map[string]string) string {
	if file, ok := names[name]; ok {
		return file + "|" + shownInLink(name)
	}
	return shownInLink(name)
}

// parts joins lines into texts of at most exportSize, at least one.
func parts(items []string) []string {
	var all []string
	var now strings.Builder
	for _, item := range items {
		if now.Len() > 0 && now.Len()+len(item) > exportSize {
			all = append(all, now.String())
			now.Reset()
		}
		now.WriteString(item + "\n")
	}
	return append(all, now.String())
}

func partName(name string, part int) string {
	if part > 0 {
		name += fmt.Sprintf(" %d", part+1)
	}
	return name + ".md"
}

func exportCrystals(files map[string]string, name string, crystals []memory.Crystal) {
	crystals = slices.Clone(crystals)
	slices.SortStableFunc(crystals, func(a, b memory.Crystal) int {
		return cmp.Or(a.SaidAt.Compare(b.SaidAt), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Text, b.Text))
	})
	var items []string
	for _, c := range crystals {
		kept := keptCrystal{c.Source, c.Subject, c.Importance, c.Lifecycle, c.Anchors, c.SaidAt, c.ValidTo, c.LastAt, c.Accesses}
		items = append(items, opened+strictJSON(kept)+ended+"\n"+escaped(clean(c.Text))+"\n"+closed+"\n")
	}
	kind := path.Base(path.Dir(name))
	for part, text := range parts(items) {
		files[partName(name, part)] = exportFile("memories", [][2]string{{"kind", kind}}, "# "+kind+", "+path.Base(name)+"\n\n"+text)
	}
}

// escaped takes the beginning of every comment out of a text, so that only hebb's own comments stand in the file:
// <!-- becomes <!\--, and what already looks like that gets one more. unescaped is the way back.
func escaped(s string) string   { return stepped(s, "<!", `\`) }
func unescaped(s string) string { return stepped(s, `<!\`, "") }

// stepped adds a backslash to every run of lead, backslashes and --, or removes one.
func stepped(s, lead, add string) string {
	var out strings.Builder
	for {
		before, after, ok := strings.Cut(s, lead)
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		if strings.HasPrefix(strings.TrimLeft(after, `\`), "--") {
			out.WriteString("<!" + add)
		} else {
			out.WriteString(lead)
		}
		s = after
	}
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
	type entity struct {
		Type         string   `json:"type"`
		Name         string   `json:"name"`
		EntityType   string   `json:"entityType"`
		Observations []string `json:"observations"`
	}
	type relation struct {
		Type         string `json:"type"`
		From         string `json:"from"`
		To           string `json:"to"`
		RelationType string `json:"relationType"`
	}
	for _, e := range m.Entities {
		texts := []string{}
		for _, o := range e.Observations {
			if o.ValidTo.IsZero() {
				texts = append(texts, clean(o.Text))
			}
		}
		if err := line.Encode(entity{"entity", e.Name, e.Type, texts}); err != nil {
			return err
		}
	}
	for _, kind := range memory.CrystalKinds {
		texts, said := []string{}, map[string]bool{}
		for _, c := range m.Crystals {
			if text := clean(c.Text); c.Kind == kind && c.Lifecycle.Living() && c.ValidTo.IsZero() && !said[text] {
				said[text] = true
				texts = append(texts, text)
			}
		}
		if len(texts) == 0 {
			continue
		}
		if err := line.Encode(entity{"entity", "hebb " + string(kind), goneOut + string(kind), texts}); err != nil {
			return err
		}
	}
	for _, r := range m.Relations {
		if err := line.Encode(relation{"relation", r.From, r.To, r.Type}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// cutComment takes hebb's comment off the end of a text and reads it into kept.
func cutComment(text string, kept any) string {
	i := strings.LastIndex(text, opened)
	if i < 0 || !strings.HasSuffix(text, ended) {
		return text
	}
	if json.Unmarshal(bytes.TrimSpace([]byte(strings.TrimSuffix(text[i+len(opened):], ended))), kept) != nil {
		return text
	}
	return strings.TrimRight(text[:i], " ")
}
