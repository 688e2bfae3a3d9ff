package state

// For tests of this package.
var KeepInsights = keepInsights
var MergedItems = mergedItems
var CrystalsOf = crystalsOf
