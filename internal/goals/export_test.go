package goals

// For tests of this package.
const Noticed = noticed
const ThinkLease = thinkLease
const UsualTractability = usualTractability

var Communities = communities
