package wiring

import (
	_ "embed"
	"strings"
)

//go:embed plugins/opencode.js
var openCodeSource string

//go:embed plugins/openclaw.js
var openClawSource string

// pluginVersion is the version of every package that an agent installs hebb by.
const pluginVersion = "0.1.0"

// Marks that hebb's plugins have and other files of the same name do not.
const (
	openCodeMark = "// hebb's memory for "
	openClawMark = "// hebb's memory for OpenClaw."
)

// openCodePlugin is the module that OpenCode and Kilo load. It is JavaScript without dependencies, because a plugin with
// some makes OpenCode run npm first.
func openCodePlugin(j job) string { return fillPlugin(openCodeSource, j) }

// openClawPlugin is the module of OpenClaw's plugin; openClawPackage and openClawManifest say what it is.
func openClawPlugin(j job) string { return fillPlugin(openClawSource, j) }

func openClawPackage(job) string {
	return `{
  "name": "hebb-openclaw",
  "version": "` + pluginVersion + `",
  "private": true,
  "type": "module",
  "openclaw": {
    "extensions": ["./index.js"]
  }
}
`
}

func openClawManifest(job) string {
	return `{
  "id": "hebb",
  "name": "hebb",
  "description": "A memory that learns from what the agent touches",
  "activation": {
    "onCapabilities": ["hook"]
  },
  "configSchema": {
    "type": "object",
    "additionalProperties": false,
    "properties": {}
  }
}
`
}

// fillPlugin puts the agent and the program into a plugin's source.
func fillPlugin(source string, j job) string {
	return strings.NewReplacer("@AGENT@", string(j.settings.agent), "@PROGRAM@", quoteJSON(j.program)).Replace(source)
}

// quoteJSON writes a text as a JSON string, which JavaScript and TOML read as well.
func quoteJSON(s string) string { return strings.TrimSuffix(string(jsonText(s)), "\n") }
