package wiring

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io/fs"
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
	home    string
}

// ServiceFor describes the service of a data folder on a system. program is the hebb that agents call.
func ServiceFor(system, home, program, data string) Service {
	s := Service{home: home}
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
		s.Text = fmt.Sprintf(launchAgent, marker, label, html.EscapeString(program), html.EscapeString(data))
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

const launchAgent = `<?xml version="1.0" encoding="UTF-8"?>
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

// Installed returns the file of the service as hebb has written it, nil if there is none. One that hebb has not written is a conflict.
func (s Service) Installed() ([]byte, error) {
	text, err := filesys.ReadFile(s.File)
	switch {
	case s.File == "" || errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !bytes.Contains(text, []byte(marker)):
		return nil, fmt.Errorf("%s was not written by hebb: move it away: %w", s.File, memory.ErrConflict)
	}
	return text, err
}

// Write writes the file of the service.
func (s Service) Write() error { return s.change([]byte(s.Text)) }

// Delete removes the file of the service, and the folders that were made for it and are empty.
func (s Service) Delete() error { return s.change(nil) }

func (s Service) change(text []byte) error {
	old, err := s.Installed()
	if err != nil || s.File == "" {
		return err
	}
	c := Change{File: s.File, Old: old, New: text, base: s.home}
	if err = c.Apply(); err == nil && text == nil {
		c.removeFolders(true)
	}
	return err
}
