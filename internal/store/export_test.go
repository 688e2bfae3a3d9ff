package store

// Statements are the texts this transaction has run so far.
func (tx *Tx) Statements() []string { return tx.db.Statements() }
