// Package layers holds no code: its test reads the import lines of all the others and keeps the rows of ARCHITECTURE.md
// true.
package layers
