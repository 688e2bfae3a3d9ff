package statements

// For tests of this package.
const TraceConfirmed = traceConfirmed
const TraceDoubted = traceDoubted
const TraceSaid = traceSaid

var Rejected = rejected
