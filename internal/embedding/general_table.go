//go:build !noembed

package embedding

import _ "embed"

//go:embed general.bin
var general packed
