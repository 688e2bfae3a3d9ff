package record

// For tests of this package.
const HabitsBlock = habitsBlock
const TableBlock = tableBlock

type BesideReader = besideReader
