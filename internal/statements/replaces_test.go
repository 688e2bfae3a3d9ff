package statements

import (
	"strings"
	"testing"
)

// plain cuts a text at spaces; there are no vectors in these tests.
func plain(text string) *Said {
	var cut []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" ,.:;", r) }) {
		if len(w) > 3 {
			cut = append(cut, w)
		}
	}
	return NewSaid(text, cut, func(string) []float32 { return nil })
}

var earlier = []string{
	"we use redis for the session cache",
	"line numbers in the report are 0-based",
	"never push to main without a pull request",
	"answer in short sentences please",
	"the nightly import holds a lock on the warehouse table",
	"invoices are rendered by weasyprint",
	"rack 1 is in room 3",
}

func TestReplaced(t *testing.T) {
	t.Parallel()
	var older []*Said
	for _, text := range earlier {
		older = append(older, plain(text))
	}
	for newer, want := range map[string]int{
		"we no longer use redis for the session cache, it is memcached now":   0,
		"line numbers in the report are 1-based from now on, no more 0-based": 1,
		"rack 2 is in room 4":                                                  -1,
		"fix the typo in the readme":                                           -1,
		"the font of the editor is 14 pixels":                                  -1,
		"we decided to drop support for python 3.8, nobody uses it anymore":    -1,
		"invoices carry the logo of the company in the upper left corner":      -1,
		"the nightly import also needs an index on the column of the supplier": -1,
		"": -1,
	} {
		if got, p := Replaced(plain(newer), older); got != want && (want >= 0 || p >= BuiltinReplacing().Sure) {
			best, likely := BuiltinReplacing().Choose(plain(newer), older)
			t.Errorf("%q replaces %d (%.2f), want %d; the likeliest is %d (%.2f)", newer, got, p, want, best, likely)
		}
	}
	if got, _ := Replaced(plain("we no longer use redis"), nil); got != -1 {
		t.Errorf("%d of no statements is replaced", got)
	}
}

// Two earlier statements that fit alike take probability from each other.
func TestCompetition(t *testing.T) {
	t.Parallel()
	newer := plain("we no longer use redis for the session cache, it is memcached now")
	one := []*Said{plain("we use redis for the session cache"), plain("answer in short sentences please")}
	_, alone := BuiltinReplacing().Choose(newer, one)
	_, shared := BuiltinReplacing().Choose(newer, append(one, plain("we use redis for the session cache, too")))
	if shared >= alone {
		t.Errorf("%.2f beside another that fits, %.2f without", shared, alone)
	}
}

func TestWordsMeet(t *testing.T) {
	t.Parallel()
	rows := map[string][]float32{"price": {3, 0}, "cost": {3, 1}, "tree": {0, 2}}
	said := func(words ...string) *Said {
		return NewSaid(strings.Join(words, " "), words, func(w string) []float32 { return rows[w] })
	}
	newer := said("price", "checkpoint", "mysql")
	for older, want := range map[string]bool{"price": true, "cost": true, "tree": false, "checkpoing": true, "mongodb": true, "haiku": false} {
		pair := Pairs(newer, []*Said{said(older)})[0]
		if got := pair.Features[metOlder]; (got > 0.3) != want {
			t.Errorf("%q is met by %.2f", older, got)
		}
	}
}

func TestNothingIsReplacedInALanguageThatWasNotLearned(t *testing.T) {
	for _, said := range [][]string{
		{"图片托管在 flickr 中，在 build 阶段访问 api 获取 list", "使用 motion 库添加动画，注意使用 m 引入", "这里需要使用 nextjs 的 standalone 模式"},
		{"Тесты запускаем только через make test", "Миграции пишем вручную, без генератора"},
		{"Die Tests laufen nur mit make test", "Migrationen schreiben wir von Hand, ohne Generator"},
	} {
		for i := range said[1:] {
			var older []*Said
			for _, text := range said[:i+1] {
				older = append(older, plain(text))
			}
			if index, p := Replaced(plain(said[i+1]), older); index >= 0 {
				t.Errorf("%q replaces %q with %.2f", said[i+1], said[index], p)
			}
		}
	}
}
