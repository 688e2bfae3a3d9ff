package config

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// A store on a server belongs to one person (docs/adr/0026). The data folder holds the ID of its owner, made once, and which schema was
// found to be the owner's, so that hooks need not look for it.

const (
	// OwnerLetters are what an owner's ID is made of: it becomes part of the name of a schema.
	OwnerLetters = "abcdefghijklmnopqrstuvwxyz0123456789_"
	ownerLength  = 20
)

func checkOwner(id string) error {
	if len(id) > ownerLength || strings.Trim(id, OwnerLetters) != "" {
		return fmt.Errorf("owner (config.toml or %s) is %q: use lower-case letters, digits and _, at most %d: %w", EnvOwner, id, ownerLength,
			memory.ErrInvalid)
	}
	return nil
}

// OwnerFile holds the ID of the owner.
func (c Config) OwnerFile() string { return filepath.Join(c.Dir, "owner") }

// OwnerID is whose memory this program uses on a server: as set, else as the data folder says; empty if that says nothing yet.
func (c Config) OwnerID() string {
	if c.Owner != "" || c.Dir == "" {
		return c.Owner
	}
	text, _ := filesys.ReadFile(c.OwnerFile())
	id := strings.TrimSpace(string(text))
	if checkOwner(id) != nil {
		return ""
	}
	return id
}

// schemaFile holds which schema of a server is the owner's.
func (c Config) schemaFile() string { return filepath.Join(c.Dir, "schema") }

// schemaKey names server, schema and owner. Of the server's URL it leaves out what stands before the host: role and password.
func (c Config) schemaKey() string {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, c.Store[strings.LastIndexByte(c.Store, '@')+1:], " ", c.Schema, " ", c.OwnerID())
	return fmt.Sprintf("%016x", h.Sum64())
}

// OwnSchema is the schema that SaveOwnSchema has kept; empty if there is none.
func (c Config) OwnSchema() string {
	text, _ := filesys.ReadFile(c.schemaFile())
	if key, schema, ok := strings.Cut(strings.TrimSpace(string(text)), " "); ok && key == c.schemaKey() {
		return schema
	}
	return ""
}

// SaveOwnSchema keeps which schema is the owner's.
func (c Config) SaveOwnSchema(schema string) error {
	line := c.schemaKey() + " " + schema + "\n"
	if text, err := filesys.ReadFile(c.schemaFile()); c.Dir == "" || err == nil && string(text) == line {
		return nil
	}
	return filesys.Replace(c.schemaFile(), []byte(line))
}
