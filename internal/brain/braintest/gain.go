package braintest

// session works with so many searches and re-reads.
func (w *Work) Searching(searches, rereads int) *Work {
	for range searches {
		w.Grep("login.go")
	}
	w.Read("login.go")
	for range rereads {
		w.Read("login.go")
	}
	return w
}
