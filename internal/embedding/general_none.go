//go:build noembed

package embedding

const general packed = ""
