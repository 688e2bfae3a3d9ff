package memory

import (
	"cmp"
	"slices"
)

// Sort sorts a list; equal elements keep their order. It is compiled once for all types, whereas each type that slices.SortStableFunc or
// slices.SortFunc sorts adds 10 to 20 KB to the program.
func Sort[T any](list []T, compare func(a, b T) int) {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(compare(list[i], list[j]), i-j) })
	before := slices.Clone(list)
	for at, i := range order {
		list[at] = before[i]
	}
}
