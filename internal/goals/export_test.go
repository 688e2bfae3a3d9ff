package goals

// For tests of this package.
const UsualTractability = usualTractability

var GoalTerms = goalTerms
