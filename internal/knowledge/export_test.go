package knowledge

// For tests of this package.
const ProcedureMost = procedureMost
