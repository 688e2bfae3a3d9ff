package wiring

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Releases is the folder of the newest release.
const Releases = "https://github.com/hebb-memory/hebb/releases/latest/download"

// Sums is the name of the list of checksums in it, and Signature that of the list's signature.
const (
	Sums      = "SHA256SUMS"
	Signature = Sums + ".sig"
)

const (
	sumsMost    = 64 << 10  // bytes
	archiveMost = 256 << 20 // bytes
	silence     = 30 * time.Second
)

// Release is an archive of a release, for one system.
type Release struct {
	Version string
	archive string // its address
	sum     string
}

// NewestRelease reads which release a folder of releases has for this system. Its list has to be signed with the key; without one
// nothing is.
func NewestRelease(ctx context.Context, folder, key string) (Release, error) {
	text, err := fetch(ctx, folder+"/"+Sums, sumsMost)
	if err != nil {
		return Release{}, err
	}
	if key != "" {
		signature, err := fetch(ctx, folder+"/"+Signature, sumsMost)
		if err == nil {
			err = verify(text, signature, key)
		}
		if err != nil {
			return Release{}, fmt.Errorf("%s/%s: %w", folder, Sums, err)
		}
	}
	r, err := choose(string(text), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return r, fmt.Errorf("%s/%s: %w", folder, Sums, err)
	}
	r.archive = folder + "/" + r.archive
	return r, nil
}

// choose finds the archive of a system in a list of checksums. Its name is hebb_1.2.3_linux_amd64.tar.gz.
func choose(sums, system, arch string) (Release, error) {
	name := regexp.MustCompile(`^([0-9a-f]{64}) [ *](hebb_([0-9][0-9A-Za-z.+-]*)_` + system + `_` + arch + `\.(?:tar\.gz|zip))$`)
	for line := range strings.Lines(sums) {
		if m := name.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			return Release{Version: m[3], archive: m[2], sum: m[1]}, nil
		}
	}
	return Release{}, fmt.Errorf("no archive for %s/%s: %w", system, arch, memory.ErrNotFound)
}

// NewerThan reports whether a release is newer than a version; known is false where that is no version of a release.
func (r Release) NewerThan(version string) (newer, known bool) {
	mine, ok := numbers(r.Version)
	other, known := numbers(version)
	return slices.Compare(mine, other) > 0, ok && known
}

// numbers are those of a version: 1.2.3, v1.2.3; before it stands 1.2.3-rc.1.
func numbers(version string) (list []int, ok bool) {
	version, candidate, before := strings.Cut(strings.TrimPrefix(version, "v"), "-")
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		list = append(list, n)
	}
	if len(list) != 3 || strings.HasPrefix(version, "0.0.0") {
		return nil, false
	}
	if before { // rc.1, not 4-gabcdef-dirty, dirty or snapshot.abcdef
		name, _, _ := strings.Cut(strings.TrimRight(candidate, "0123456789"), ".")
		return append(list, -1), slices.Contains([]string{"alpha", "beta", "rc"}, name)
	}
	return append(list, 0), true
}

// Install downloads a release, compares its checksum, sees that it runs, and puts it in the place of
// a program. On any error the program is as it was.
func (r Release) Install(ctx context.Context, program string) error {
	archive, err := fetch(ctx, r.archive, archiveMost)
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != r.sum {
		return fmt.Errorf("%s: its checksum is not the one of the release; nothing was changed: %w", path.Base(r.archive), memory.ErrRefused)
	}
	return replace(ctx, program, func(w io.Writer) error { return unpack(w, archive, r.archive) })
}

// unpack writes the program that an archive holds.
func unpack(w io.Writer, archive []byte, name string) error {
	want := ProgramName(runtime.GOOS)
	if strings.HasSuffix(name, ".zip") {
		z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
		if err != nil {
			return fmt.Errorf("%s: %w", path.Base(name), err)
		}
		f, err := z.Open(want)
		if err != nil {
			return fmt.Errorf("%s: %w", path.Base(name), err)
		}
		_, err = io.Copy(w, io.LimitReader(f, archiveMost))
		return errors.Join(err, f.Close())
	}
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return fmt.Errorf("%s: %w", path.Base(name), err)
	}
	files := tar.NewReader(plain)
	for {
		h, err := files.Next()
		if err != nil {
			return fmt.Errorf("%s: no %s in it: %w", path.Base(name), want, err)
		}
		if path.Base(h.Name) == want && h.Typeflag == tar.TypeReg {
			_, err := io.Copy(w, io.LimitReader(files, archiveMost))
			return err
		}
	}
}

// fetch reads an address: https, or plain http on this machine. A server that is silent for long is
// given up.
func fetch(ctx context.Context, address string, most int64) ([]byte, error) {
	if err := allowed(address); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(fmt.Errorf("no data for %s", silence)) })
	defer quiet.Stop()
	client := http.Client{CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if len(via) > 10 {
			return errors.New("redirected too often")
		}
		return allowed(next.URL.String())
	}}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(ask)
	if err != nil {
		return nil, fmt.Errorf("cannot download: %w", errors.Join(err, context.Cause(ctx)))
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("cannot download %s: %s", address, answer.Status)
	}
	var text bytes.Buffer
	for {
		n, err := io.CopyN(&text, answer.Body, 32<<10)
		if n > 0 {
			quiet.Reset(silence)
		}
		switch {
		case int64(text.Len()) > most:
			return nil, fmt.Errorf("%s is larger than %d MB: %w", address, most>>20, memory.ErrRefused)
		case errors.Is(err, io.EOF):
			return text.Bytes(), nil
		case err != nil:
			return nil, fmt.Errorf("cannot download %s: %w", address, errors.Join(err, context.Cause(ctx)))
		}
	}
}

func allowed(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("%q: %w", address, memory.ErrInvalid)
	}
	here := u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !here) {
		return fmt.Errorf("%s: want https: %w", address, memory.ErrInvalid)
	}
	return nil
}
