package transfer

// For tests of this package.
const AsidePrefix = asidePrefix
const DailyRetry = dailyRetry
const DaysKept = daysKept
const StampLayout = stampLayout
const SumsFile = sumsFile
const WeeksKept = weeksKept

var Merges = merges
var Prune = prune
var WeekOf = weekOf
