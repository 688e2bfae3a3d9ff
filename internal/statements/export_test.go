package statements

// For tests of this package.
const TraceConfirmed = traceConfirmed
const TraceDoubted = traceDoubted
const TraceSaid = traceSaid

var (
	Rejected     = rejected
	QuotedClause = quotedClause
)

// Contradicted is called where somebody says what may take the place of a memory.
var Contradicted = contradicted

const ProcedureMost = procedureMost
