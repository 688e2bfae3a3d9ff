package answer

// For tests of this package.
const Opening = opening

var NewReply = newReply
