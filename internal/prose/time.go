package prose

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// ParseTime reads a time in the forms people use: how long ago, a date, a month, a year, or a full time, in the zone of now. No text is no time.
func ParseTime(now time.Time, text string) (time.Time, error) {
	switch text {
	case "":
		return time.Time{}, nil
	case "now":
		return now, nil
	case "today":
		text = now.Format(time.DateOnly)
	case "yesterday":
		text = now.AddDate(0, 0, -1).Format(time.DateOnly)
	}
	const longest = 106751 // days that a time.Duration can hold
	for unit, days := range map[string]float64{"d": 1, "w": 7} {
		if number, ok := strings.CutSuffix(text, unit); ok {
			if n, err := strconv.ParseFloat(number, 64); err == nil && n >= 0 && n*days <= longest {
				return now.Add(-time.Duration(n * days * 24 * float64(time.Hour))), nil
			}
		}
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("want 90m, 12h, 2d, 2026-11-15, 2026-11-15T08:30, yesterday or now")
}
