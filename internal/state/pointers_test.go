package state

import (
	"slices"
	"strings"
	"testing"
)

func TestAPointerIsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	p := Pointer{Topic: "P2P bridge CORS debugging", Words: "CORS P2P EigenTrust"}
	if got, want := p.String(), "- Past: P2P bridge CORS debugging → search: `CORS P2P EigenTrust`"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		line         string
		topic, words string
		ok           bool
	}{
		{p.String(), p.Topic, p.Words, true},
		{"\n- Old things →  search:  `a b`  (mine)", "Old things", "a b", true},
		{"- Past: a → search: ``", "", "", false},
		{"- Past: a → search: `b", "", "", false},
		{"- Past: a → look: `b`", "", "", false},
		{"Past: a → search: `b`", "", "", false},
		{"- Past: a\n  → search: `b`", "", "", false},
		{"- plain", "", "", false},
	} {
		got, ok := ParsePointer(c.line)
		if ok != c.ok || ok && (got.Topic != c.topic || got.Words != c.words) {
			t.Errorf("%q: %v %+v", c.line, ok, got)
		}
	}
}

func TestWordsOfAPointerAreFewAndRare(t *testing.T) {
	t.Parallel()
	often := map[string]int{}
	for _, text := range []string{
		"We spent hours with the EigenTrust thresholds of the P2P bridge", "The bridge and the hours of the shop", "hours thresholds", "spent hours at the bridge",
	} {
		for word := range strings.FieldsSeq(normal(text)) {
			often[word]++
		}
	}
	got := wordings("We spent hours with the EigenTrust thresholds of the P2P bridge", often)
	if want := []string{"EigenTrust P2P thresholds", "spent hours EigenTrust thresholds P2P bridge"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := terms("A the `x` of config.toml, --flag and _name_; 使用者喜歡喝茶 9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"); strings.Join(got, "|") != "config.toml|flag|name|使用者喜" {
		t.Errorf("%q", got)
	}
}
