package views

// For tests of this package.
const SeedMost = seedMost
