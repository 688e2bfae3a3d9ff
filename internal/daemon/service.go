package daemon

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hebb-memory/hebb/internal/filesys"
	"github.com/hebb-memory/hebb/internal/memory"
)

// marker is in the first lines of a file that hebb daemon install wrote.
const marker = "Written by hebb daemon install, which replaces it; without this line hebb leaves it alone."

// Service is how a system starts the daemon when the person logs in.
type Service struct {
	File    string     `json:"file,omitempty"` // where it is described; Windows needs none
	Text    string     `json:"text,omitempty"`
	Install [][]string `json:"install"` // commands that have the system read it, and start the daemon
	Remove  [][]string `json:"remove"`  // commands that end both
	note    string     // file that lists the folders made for File
}

// ServiceFor describes the service of a data folder on a system. program is the hebb that agents call.
func ServiceFor(system, home, program, data string) Service {
	s := Service{note: filepath.Join(data, "daemon", "folders.json")}
	switch system {
	case "windows":
		const task = "hebb daemon"
		run := fmt.Sprintf(`"%s" daemon run --stay --home "%s"`, program, data)
		s.Install = [][]string{
			{"schtasks", "/create", "/f", "/sc", "onlogon", "/tn", task, "/tr", run}, {"schtasks", "/run", "/tn", task},
		}
		s.Remove = [][]string{{"schtasks", "/delete", "/f", "/tn", task}}
	case "darwin":
		const label = "io.github.hebb-memory.daemon"
		s.File = filepath.Join(home, "Library", "LaunchAgents", label+".plist")
		s.Text = fmt.Sprintf(agent, marker, label, html.EscapeString(program), html.EscapeString(data))
		s.Install = [][]string{{"launchctl", "load", "-w", s.File}}
		s.Remove = [][]string{{"launchctl", "unload", "-w", s.File}}
	default:
		const unitName = "hebb.service"
		s.File = filepath.Join(home, ".config", "systemd", "user", unitName)
		s.Text = fmt.Sprintf(unit, marker, quoted(program), quoted(data))
		s.Install = [][]string{
			{"systemctl", "--user", "daemon-reload"}, {"systemctl", "--user", "enable", "--now", unitName},
		}
		s.Remove = [][]string{{"systemctl", "--user", "disable", "--now", unitName}}
	}
	return s
}

// unit starts the daemon again if it fails or its program was replaced, not if it was asked to stop.
// When it is stopped, its children finish.
const unit = `# %s
[Unit]
Description=hebb, a memory for coding agents
StartLimitIntervalSec=600
StartLimitBurst=3

[Service]
ExecStart=%s daemon run --stay --home %s
Restart=on-failure
RestartSec=10
KillMode=mixed
TimeoutStopSec=130

[Install]
WantedBy=default.target
`

const agent = `<?xml version="1.0" encoding="UTF-8"?>
<!-- %s -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key><string>%s</string>
	<key>ProgramArguments</key>
	<array>
		<string>%s</string>
		<string>daemon</string><string>run</string><string>--stay</string><string>--home</string><string>%s</string>
	</array>
	<key>RunAtLoad</key><true/>
	<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
	<key>ThrottleInterval</key><integer>60</integer>
	<key>ExitTimeOut</key><integer>130</integer>
	<key>ProcessType</key><string>Background</string>
</dict>
</plist>
`

// quoted is a word of a systemd command line.
func quoted(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`, `$`, `$$`).Replace(word) + `"`
}

// Installed reports whether hebb has written the file of the service. One that hebb has not written is a conflict.
func (s Service) Installed() (bool, error) {
	text, err := filesys.ReadFile(s.File)
	switch {
	case s.File == "" || errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !strings.Contains(string(text), marker):
		return false, fmt.Errorf("%s was not written by hebb: move it away: %w", s.File, memory.ErrConflict)
	}
	return true, nil
}

// Write writes the file of the service, and notes which folders it made for it.
func (s Service) Write() error {
	installed, err := s.Installed()
	if err != nil || s.File == "" {
		return err
	}
	var made []string
	for dir := filepath.Dir(s.File); !filesys.IsFolder(dir) && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		made = append(made, dir)
	}
	if err := os.MkdirAll(filepath.Dir(s.File), 0o700); err != nil {
		return err
	}
	if !installed {
		text, err := json.Marshal(made)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(s.note), 0o700), filesys.Replace(s.note, text))
		if err != nil {
			return err
		}
	}
	return filesys.Replace(s.File, []byte(s.Text))
}

// Delete removes the file of the service, and the folders that were made for it and are empty.
func (s Service) Delete() error {
	installed, err := s.Installed()
	if err != nil || !installed {
		return err
	}
	if err := filesys.RemoveOwn(s.File); err != nil {
		return err
	}
	var made []string
	text, err := filesys.ReadFile(s.note)
	if err == nil && json.Unmarshal(text, &made) == nil {
		for _, dir := range made {
			_ = filesys.Remove(dir) // one with other files stays
		}
	}
	return filesys.RemoveOwn(s.note)
}
