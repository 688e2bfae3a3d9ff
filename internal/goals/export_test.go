package goals

// For tests of this package.
const ThinkLease = thinkLease
const UsualTractability = usualTractability

var Communities = communities
