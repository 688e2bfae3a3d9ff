package wiring

import (
	"embed"
	"strings"
)

//go:embed plugins
var pluginSources embed.FS

// pluginVersion is the version of every package that an agent installs hebb by.
const pluginVersion = "0.1.0"

// pluginMark is in every plugin of hebb, and not in another file of its name.
const pluginMark = "// hebb's memory for "

// plugin is a module of JavaScript that an agent loads, put together of some sources. It has no dependencies: a plugin with some makes OpenCode run
// npm first.
func plugin(sources ...string) ownFile {
	render := func(j job) string {
		var text strings.Builder
		for _, name := range append([]string{"shared"}, sources...) {
			source, err := pluginSources.ReadFile("plugins/" + name + ".js")
			if err != nil {
				panic(err) // only what is embedded is named
			}
			text.Write(source)
		}
		return strings.NewReplacer("@AGENT@", string(j.settings.agent), "@PROGRAM@", quoteJSON(j.program)).Replace(text.String())
	}
	return ownFile{render, pluginMark, "plugin"}
}

// openClawPackage and openClawManifest say to OpenClaw what its plugin is.
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

// quoteJSON writes a text as a JSON string, which JavaScript and TOML read as well.
func quoteJSON(s string) string { return strings.TrimSuffix(string(jsonText(s)), "\n") }
