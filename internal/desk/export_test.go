package desk

// For tests of this package.
const ScratchAtOnce = scratchAtOnce
