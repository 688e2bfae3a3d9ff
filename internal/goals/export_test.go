package goals

// For tests of this package.
const Noticed = noticed
const UsualTractability = usualTractability
