package ranking

// BesideReader is for tests of this package.
type BesideReader = besideReader
