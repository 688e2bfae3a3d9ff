package ranking

// For tests of this package.
const LongestReason = longestReason

var LineTokens = lineTokens
