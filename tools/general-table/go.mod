module github.com/hebb-memory/hebb/tools/general-table

go 1.26.0

require github.com/hebb-memory/hebb v0.0.0

replace github.com/hebb-memory/hebb => ../..
