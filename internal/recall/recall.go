// Package recall ranks what a task will need: it compares a question with what was done before and weighs what it
// finds. Ranking is arithmetic on data it is given; the past of a project and the words of its files
// are kept in files of their own, which may be deleted at any time.
package recall
