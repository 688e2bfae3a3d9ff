package foreign

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hebb-memory/hebb/internal/memory"
)

// Read reads a file or folder of the given format.
func Read(ctx context.Context, format Format, path string, opts Options) (Memory, error) {
	r := newReading(ctx, format, opts)
	read, known := map[Format]func(*reading, string) error{
		MCPMemory: readMCPMemory, Howell: readHowell, BrainBox: readBrainBox, Markdown: readVault,
	}[format]
	if !known {
		return Memory{}, fmt.Errorf("format %q is not read; let the tool export Markdown: %w", format, memory.ErrInvalid)
	}
	if err := cmp.Or(read(r, path), r.err); err != nil {
		return Memory{}, fmt.Errorf("read %s as %s: %w", path, format, err)
	}
	return r.finish(), nil
}
