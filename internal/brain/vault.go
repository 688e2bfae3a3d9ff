package brain

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/hebb-memory/hebb/internal/filesys"
)

type (
	vaultKey  struct{}
	vaultName struct {
		once sync.Once
		name string
	}
)

// VaultID names the folder of files for people: a store may be shared by several people, each with files of their own. It is
// kept in the folder itself.
func (b *Brain) VaultID() string {
	kept := Cache[vaultName](b, vaultKey{})
	kept.once.Do(func() {
		file := filepath.Join(b.Config.Vault(), ".vault-id")
		if data, err := filesys.ReadFile(file); err == nil && len(strings.TrimSpace(string(data))) > 0 {
			kept.name = strings.TrimSpace(string(data))
			return
		}
		if b.ReadOnly {
			return // no file was written here yet
		}
		id, err := b.Store.NewID()
		if err != nil {
			return
		}
		kept.name = string(id)
		if os.MkdirAll(b.Config.Vault(), 0o700) == nil {
			_ = filesys.WriteFile(file, []byte(kept.name+"\n"), 0o600) // without it the files are imported and written once more
		}
	})
	return kept.name
}
