// Package recall ranks what a task will need: it compares a question with what was done before and weighs what it
// finds. It is arithmetic on data it is given: no database, no files, no clock.
package recall
