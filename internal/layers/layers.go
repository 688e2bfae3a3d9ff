// Package layers keeps the rows of ARCHITECTURE.md true: its tests read the import lines of all packages, and measure how large those are
// and how many of their files depend on each other in a circle.
package layers
