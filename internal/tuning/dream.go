package tuning

// Dream says how the state is rewritten.
type Dream struct{}

func (x *Dream) entries() []Entry { return nil }
