module github.com/hebb-memory/hebb/tools/general-table

go 1.26.0

require github.com/hebb-memory/hebb v0.0.0

require (
	github.com/blevesearch/snowballstem v0.9.0 // indirect
	golang.org/x/text v0.29.0 // indirect
)

replace github.com/hebb-memory/hebb => ../..
