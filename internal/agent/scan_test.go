package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// everything is a visitor that wants all scalars whole.
type everything struct{ seen []string }

func (e *everything) inside([]byte) bool { return true }
func (e *everything) wanted([]byte) want { return wantText }
func (e *everything) visit(path []byte, kind byte, text []byte, _ int64) {
	e.seen = append(e.seen, scalarLine(string(path), kind, string(text)))
}

// scalarLine writes invalid UTF-8 as encoding/json reads it, one replacement character for each
// byte.
func scalarLine(path string, kind byte, value string) string {
	return fmt.Sprintf("%s %c %q", string([]rune(path)), kind, string([]rune(value)))
}

// oracle lists the scalars of a valid JSON text as encoding/json reads them, as far as scan reports
// them.
func oracle(t *testing.T, source []byte) []string {
	d := json.NewDecoder(bytes.NewReader(source))
	d.UseNumber()
	var seen []string
	type frame struct {
		object, value bool // value: the next token is the value of key
		key           string
		hidden        bool
	}
	var stack []frame
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	path := func() (string, bool) {
		var b strings.Builder
		hidden := len(stack) > maxDepth
		for _, f := range stack {
			hidden = hidden || f.hidden
			if f.object {
				b.WriteString("/" + escape.Replace(f.key))
			} else {
				b.WriteString(element)
			}
		}
		return b.String(), hidden
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return seen
		}
		if err != nil {
			t.Fatalf("oracle: %v", err)
		}
		top := &frame{}
		if len(stack) > 0 {
			top = &stack[len(stack)-1]
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			stack = stack[:len(stack)-1]
			continue
		}
		if key, ok := token.(string); ok && top.object && !top.value {
			top.key, top.value, top.hidden = key, true, len(key) > maxKey
			continue
		}
		top.value = false
		at, hidden := path()
		kind, text := byte('"'), ""
		switch v := token.(type) {
		case json.Delim:
			stack = append(stack, frame{object: v == '{'})
			continue
		case string:
			text = v
		case json.Number:
			kind, text = '0', v.String()
		case bool:
			text = strconv.FormatBool(v)
			kind = text[0]
		case nil:
			kind, text = 'n', "null"
		}
		if !hidden {
			seen = append(seen, scalarLine(at, kind, text))
		}
	}
}

// compareScan fails unless scan and encoding/json agree on a valid text, however it arrives.
func compareScan(t *testing.T, source []byte) {
	t.Helper()
	want := oracle(t, source)
	for name, in := range map[string]io.Reader{
		"whole": bytes.NewReader(source), "byte by byte": iotest.OneByteReader(bytes.NewReader(source)),
		"with the end at once": iotest.DataErrReader(bytes.NewReader(source)),
	} {
		var got everything
		if err := scan(in, 1<<40, &got); err != nil {
			t.Fatalf("scan %s of %.200q: %v", name, source, err)
		}
		if !reflect.DeepEqual(got.seen, want) {
			t.Fatalf("scan %s of %.200q:\n got %q\nwant %q", name, source, got.seen, want)
		}
	}
}

func TestScanAgreesWithEncodingJSON(t *testing.T) {
	for _, source := range []string{
		`{}`, `[]`, `""`, `0`, `-1.5e+10`, `true`, `false`, `null`, " \t\r\n{ \"a\" : [ 1 , 2 ] }\n ",
		`{"a":{"b":[1,"x",{"c":null}]},"d":true}`,
		`{"a":1,"a":2,"A":3}`,
		`{"a/b":1,"~":2,"~1":3,"":4,"/":{"~":5}}`,
		`["\u00e9\n\t\r\b\f\/\\\"","\ud83d\ude00","\ud83d","\ude00","\ud83d\ud83d\ude00","\ud83dx","\ud83d\n","\ud83d"]`,
		"[\"\xff\",\"\xc3\",\"é\",\"\xed\xa0\x80\"]",
		"{\"\xff\":1,\"\xfe\":2}",
		`["` + strings.Repeat(`\\`, 40000) + `","` + strings.Repeat(`\"`, 40000) + `"]`,
		`{"` + strings.Repeat("k", 300) + `":{"a":[1]},"b":"` + strings.Repeat("é", 50000) + `"}`,
		strings.Repeat("[", 200) + `"deep"` + strings.Repeat("]", 200),
		strings.Repeat(`{"a":`, 64) + `"level 64"` + strings.Repeat("}", 64),
		`[123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890]`,
	} {
		compareScan(t, []byte(source))
	}
}

// randomJSON writes a valid JSON text.
func randomJSON(r *rand.Rand, depth int) string {
	space := []string{"", "", " ", "\n\t"}[r.IntN(4)]
	switch n := r.IntN(9); {
	case n < 2 && depth > 0:
		var parts []string
		for range r.IntN(4) {
			parts = append(parts, randomString(r)+space+":"+randomJSON(r, depth-1))
		}
		return "{" + space + strings.Join(parts, space+",") + "}"
	case n < 4 && depth > 0:
		var parts []string
		for range r.IntN(5) {
			parts = append(parts, randomJSON(r, depth-1))
		}
		return "[" + strings.Join(parts, ","+space) + space + "]"
	case n < 5:
		return []string{"true", "false", "null"}[r.IntN(3)] + space
	case n < 6:
		return strconv.FormatFloat(r.NormFloat64()*1e6, 'g', -1, 64)
	}
	return space + randomString(r)
}

func randomString(r *rand.Rand) string {
	pieces := []string{"a", "é", "世", "😀", `\n`, `\"`, `\\`, `\u0041`, `\ud83d`, `\ude00`, `\u0000`, "~", "/", "\xff", "[", "}", ","}
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return `"` + b.String() + `"`
}

func TestScanAgreesWithEncodingJSONOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		source := []byte(randomJSON(r, 6))
		if !json.Valid(source) {
			t.Fatalf("the generator made %q", source)
		}
		compareScan(t, source)
	}
}

func TestScanReportsWhatCameBeforeTheDamage(t *testing.T) {
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"an empty text", "", nil},
		{"blanks only", " \n", nil},
		{"no JSON", "hello", nil},
		{"an unknown word", `{"a":1,"b":nope}`, []string{`/a 0 "1"`}},
		{"cut in a string", `{"a":"x","b":"yy`, []string{`/a " "x"`}},
		{"cut in a character", "{\"a\":\"x\",\"b\":\"\xe4\xb8", []string{`/a " "x"`}},
		{"cut in an escape", `{"a":"x","b":"\u00`, []string{`/a " "x"`}},
		{"cut in a number", `{"a":"x","b":12`, []string{`/a " "x"`}},
		{"cut after a comma", `{"a":"x",`, []string{`/a " "x"`}},
		{"a bad escape", `{"a":"x","b":"\q","c":1}`, []string{`/a " "x"`}},
		{"bad hex", `{"a":"x","b":"\u00zz"}`, []string{`/a " "x"`}},
		{"a missing colon", `{"a":"x","b" 1}`, []string{`/a " "x"`}},
		{"a missing comma", `["x" "y"]`, []string{`/~ " "x"`}},
		{"a comma at the end", `["x",]`, []string{`/~ " "x"`}},
		{"a bare key", `{"a":"x",b:1}`, []string{`/a " "x"`}},
		{"the wrong bracket", `["x"}`, []string{`/~ " "x"`}},
		{"text after the value", `{"a":"x"} {"b":1}`, []string{`/a " "x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got everything
			if err := scan(strings.NewReader(c.source), 1<<40, &got); err == nil {
				t.Error("no error")
			}
			if !reflect.DeepEqual(got.seen, c.want) {
				t.Errorf("got %q, want %q", got.seen, c.want)
			}
		})
	}
}

func TestScanStopsAtItsReadLimit(t *testing.T) {
	in := strings.NewReader(`{"a":"x","b":"` + strings.Repeat("y", 1000) + `"}`)
	var got everything
	err := scan(in, 100, &got)
	if !errors.Is(err, errTooLong) || len(got.seen) != 1 {
		t.Errorf("got %q, %v", got.seen, err)
	}
	if read := int(in.Size()) - in.Len(); read != 100 {
		t.Errorf("read %d bytes, want 100", read)
	}
}

func TestScanDoesNotWaitBehindTheValue(t *testing.T) {
	read, write := io.Pipe() // never closed by the writer
	go func() { _, _ = write.Write([]byte(`{"a":"x"}`)) }()
	var got everything
	if err := scan(read, 1<<40, &got); err != nil || len(got.seen) != 1 {
		t.Errorf("got %q, %v", got.seen, err)
	}
}

func TestScanGivesUpOnReadersThatFail(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, c := range []struct {
		name string
		in   io.Reader
		want error
	}{
		{"with an error", io.MultiReader(strings.NewReader(`{"a":"x","b`), iotest.ErrReader(broken)), broken},
		{"without a word", io.MultiReader(strings.NewReader(`{"a":"x","b`), silent{}), io.ErrNoProgress},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got everything
			if err := scan(c.in, 1<<40, &got); !errors.Is(err, c.want) || len(got.seen) != 1 {
				t.Errorf("got %q, %v", got.seen, err)
			}
		})
	}
}

type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

func FuzzScan(f *testing.F) {
	for _, source := range []string{`{"a":["\ud83d\ude00",-1.5e3,null]}`, `[[[]]]`, `"\u00`, "{\"\xff\":\"\xfe\"}", `{"a":1}x`} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		if json.Valid(source) {
			compareScan(t, source)
			return
		}
		var whole, bytewise everything
		_ = scan(bytes.NewReader(source), 1<<40, &whole)
		_ = scan(iotest.OneByteReader(bytes.NewReader(source)), 1<<40, &bytewise)
		if !reflect.DeepEqual(whole.seen, bytewise.seen) {
			t.Fatalf("%q: %q whole, %q byte by byte", source, whole.seen, bytewise.seen)
		}
	})
}
