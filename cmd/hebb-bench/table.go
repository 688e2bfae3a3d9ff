package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// show prints the rows that a benchmark returned, unless it failed: a table whose columns are the
// JSON fields of a row, or one JSON object per line. The tag show is how a column is written,
// "%.1f" for fractions without one. A zero that JSON omits is blank; a column of blanks is left
// out, and so is the name of the benchmark.
func (a *app) show(rows any, err error) error {
	list := reflect.ValueOf(rows)
	if err != nil || !a.json {
		if err == nil {
			_, err = io.WriteString(a.stdout, table(list))
		}
		return err
	}
	e := json.NewEncoder(a.stdout)
	for i := range list.Len() {
		err = errors.Join(err, e.Encode(list.Index(i).Interface()))
	}
	return err
}

// table sets rows in columns; numbers are set to the right.
func table(rows reflect.Value) string {
	type column struct {
		cells []string
		width int
		right bool
	}
	var columns []column
	of := rows.Type().Elem()
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "bench" || name == "-" {
			continue
		}
		c := column{cells: []string{strings.ToUpper(strings.ReplaceAll(name, "_", " "))}, right: f.Type.Kind() != reflect.String}
		for n := range rows.Len() {
			v := rows.Index(n).Field(i)
			text := ""
			if options != "omitempty" || !v.IsZero() {
				text = written(v, f.Tag.Get("show"))
			}
			c.cells = append(c.cells, text)
		}
		if !slices.ContainsFunc(c.cells[1:], func(cell string) bool { return cell != "" }) {
			continue
		}
		for _, cell := range c.cells {
			c.width = max(c.width, utf8.RuneCountInString(cell))
		}
		columns = append(columns, c)
	}
	var b strings.Builder
	for line := range rows.Len() + 1 {
		text := ""
		for _, c := range columns {
			cell := c.cells[line]
			space := strings.Repeat(" ", c.width-utf8.RuneCountInString(cell))
			if c.right {
				text += "  " + space + cell
			} else {
				text += "  " + cell + space
			}
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	return b.String()
}

func written(v reflect.Value, format string) string {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		return grouped(v.Int())
	case reflect.Float64:
		if format == "" {
			format = "%.1f"
		}
		return fmt.Sprintf(format, v.Float())
	}
	return fmt.Sprint(v.Interface())
}

// grouped writes a number with its thousands apart.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return b.String()
}
