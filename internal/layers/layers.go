// Package layers holds no code: its test keeps the rows of ARCHITECTURE.md true.
package layers
