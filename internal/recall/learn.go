package recall

import (
	"slices"
	"time"

	"github.com/hebb-memory/hebb/internal/vocab"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Commit learns a commit: which files exist from now on and, unless it is too wide to say what belongs together,
// that these were changed together.
func (m *Image) Commit(at time.Time, event int64, subject string, touches []memory.Touch, wide bool) {
	var files, gone []FileNo
	for _, t := range InOrder(touches) {
		n, known := m.follow(t)
		if !known {
			continue
		}
		if t.Kind == memory.Delete {
			gone = append(gone, n)
		}
		if !slices.Contains(files, n) {
			files = append(files, n)
		}
	}
	if !wide && len(files) > 0 {
		m.append(Episode{Kind: CommitEpisode, At: at, Ref: event, Files: files, Words: vocab.Spoken(subject)})
	}
	for _, n := range gone {
		f := m.file(n)
		f.Gone = true
		m.setFile(n, f)
	}
}

// InOrder puts the touches of a commit into an order in which they can be carried out: where a is renamed to b and b to
// c, b must leave first.
func InOrder(touches []memory.Touch) []memory.Touch {
	leaving := map[string]int{} // touch that renames a path away
	for i, t := range touches {
		if t.Kind == memory.Rename {
			leaving[t.From] = i
		}
	}
	if len(leaving) < 2 {
		return touches
	}
	ordered := make([]memory.Touch, 0, len(touches))
	done := make([]bool, len(touches))
	var place func(i int)
	place = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		if first, blocked := leaving[touches[i].Path]; blocked {
			place(first)
		}
		ordered = append(ordered, touches[i])
	}
	for i := range touches {
		place(i)
	}
	return ordered
}

// follow finds the file of a touch, met for the first time, under its new name or back again. One that is deleted
// without ever having been met is not known.
func (m *Image) follow(t memory.Touch) (FileNo, bool) {
	if t.Kind == memory.Delete {
		n, known := m.Find(t.Path)
		return n, known && !m.gone[n]
	}
	if t.Kind == memory.Rename {
		m.rename(t.From, t.Path)
	}
	return m.meet(t.Path), true
}

// rename moves a file with its past. Where the new name is already taken, that file goes on and the old
// one is gone.
func (m *Image) rename(from, to string) {
	old, known := m.Find(from)
	if !known || m.gone[old] {
		return
	}
	f := m.file(old)
	if taken, exists := m.Find(to); exists && !m.gone[taken] {
		f.Gone = true
		m.setFile(old, f)
		return
	}
	moved := newFile(to)
	moved.Names, moved.InTree = f.Names, f.InTree
	m.setFile(old, moved)
}

// meet returns the number of a file, giving it one at first sight.
func (m *Image) meet(path string) FileNo {
	n, known := m.Find(path)
	if known {
		if f := m.file(n); f.Gone {
			f.Gone = false
			m.setFile(n, f)
		}
		return n
	}
	n = m.room()
	m.setFile(n, newFile(path))
	return n
}

// Define says that a file exists, and which names it defines.
func (m *Image) Define(path string, names []vocab.Word) {
	n := m.meet(path)
	if f := m.file(n); !f.InTree || !slices.Equal(names, f.Names) {
		f.Names, f.InTree = names, true
		m.setFile(n, f)
	}
}

func (m *Image) setFile(n FileNo, f File) {
	m.place(n, f)
	m.changed[block{FileBlock, int(n) / BlockSize}] = true
}

// Opened is a file a session opened, and what was said since the one before.
type Opened struct {
	Path   string
	Prompt string
}

// Session learns what a session opened, in order, in segments of a number of different files: in a long session only what
// is near each other belongs together. Each segment begins with the file the last one ended with.
func (m *Image) Session(at time.Time, session int64, opened []Opened, segment, words int) {
	var e Episode
	var different int
	flush := func() {
		if len(e.Files) > 0 {
			m.append(e)
		}
	}
	start := func(first ...FileNo) {
		e = Episode{Kind: SessionEpisode, At: at, Ref: session, Files: first}
		different = len(first)
	}
	start()
	for _, o := range opened {
		n := m.meet(o.Path)
		isNew := !slices.Contains(e.Files, n)
		if isNew && different == segment {
			flush()
			start(e.Files[len(e.Files)-1])
		}
		if isNew {
			different++
		}
		for _, w := range vocab.Spoken(o.Prompt) {
			if len(e.Words) < words && !slices.Contains(e.Words, w) {
				e.Words = append(e.Words, w)
			}
		}
		if len(e.Files) == 0 || e.Files[len(e.Files)-1] != n {
			e.Files = append(e.Files, n)
		}
	}
	flush()
}

func (m *Image) append(e Episode) {
	e.PathWords = m.pathWords(e.Files)
	m.changed[block{EpisodeBlock, m.Episodes() / BlockSize}] = true
	m.link(e)
}

func (m *Image) pathWords(files []FileNo) int {
	var words []vocab.Word
	for _, f := range files {
		words = append(words, m.file(f).Words...)
	}
	slices.Sort(words)
	return len(slices.Compact(words))
}

// BlockKind distinguishes the two sorts of block.
type BlockKind int

const (
	FileBlock BlockKind = iota
	EpisodeBlock
)

type block struct {
	kind   BlockKind
	number int
}

// Changed hands over the blocks changed since the last time, packed.
func (m *Image) Changed(save func(kind BlockKind, number int, data []byte) error) error {
	for b := range m.changed {
		from := b.number * BlockSize
		var data []byte
		if b.kind == FileBlock {
			data = EncodeFiles(m.filesFrom(from, BlockSize))
		} else {
			data = EncodeEpisodes(m.episodesFrom(from, BlockSize))
		}
		if err := save(b.kind, b.number, data); err != nil {
			return err
		}
	}
	clear(m.changed)
	return nil
}

// filesFrom are files from one on.
func (m *Image) filesFrom(from, most int) (files []File) {
	for n := from; n < min(from+most, m.Files()); n++ {
		files = append(files, m.file(FileNo(n)))
	}
	return files
}

// episodesFrom are episodes from one on.
func (m *Image) episodesFrom(from, most int) (episodes []Episode) {
	for n := from; n < min(from+most, m.Episodes()); n++ {
		episodes = append(episodes, m.episode(uint32(n)))
	}
	return episodes
}

// Read adds a packed block.
func (m *Image) Read(kind BlockKind, number int, data []byte) error {
	if kind == FileBlock {
		files, err := DecodeFiles(data)
		if err != nil {
			return err
		}
		return m.SetFiles(number, files)
	}
	episodes, err := DecodeEpisodes(data)
	if err != nil {
		return err
	}
	return m.SetEpisodes(number, episodes)
}
