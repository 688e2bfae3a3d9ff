package words

// BesideReader is for tests of this package.
type BesideReader = besideReader
