package vocab

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		// English, numbers and identifiers.
		"the admin port is 8080":               "admin port 8080",
		"use C++ or R, not v2":                 "c r v 2 v2",
		"Ann's don't we’ll I'd":                "ann don",
		"it's 'quoted' O'Neil s":               "quot o neil s",
		"movies, a movie":                      "movi movi",
		"HTTPServer2 in a.go, 3x":              "http server 2 httpserver2 go 3 x 3x",
		"configured the configuration":         "configur configur",
		"yesyesyes" + strings.Repeat("y", 100): "yesyesyes" + strings.Repeat("y", 100),
		// Accents, composed and decomposed, and letters that do not decompose.
		"Café cafés":          "cafe cafe",
		"cafe\u0301":          "cafe",
		"Straße Øresund Łódź": "strass oresund lodz",
		"naïve ÜBERPRÜFUNG":   "naiv uberprufung",
		"ΚΌΣΜΟΣ κόσμος":       "κοσμοσ κοσμοσ",
		"tiếng Việt":          "tieng viet",
		"ﬁle ＡＢＣ":             "file abc",
		// Russian endings.
		"настройка настройки настройками": "настройк настройк настройк",
		"ещё еще Йод": "ещ ещ йод",
		"и\u0306од":   "йод",
		// Scripts without blanks, and Korean with its particles.
		"検索する":            "検索 索す する",
		"字":               "字",
		"サーバー":            "サー ーバ バー",
		"ｻｰﾊﾞｰ":           "サー ーバ バー",
		"저장소를":            "저장 장소 소를",
		"저장소":             "저장 장소",
		"99쪪":             "99 쪪",
		"部署gen-itgc服务":    "部署 gen itgc 服务",
		"gen-itgc的配置在v2里": "gen itgc 的配 配置 置在 v 2 v2 里",
		"ภาษาไทย":         "ภา าษ ษา าไ ไท ทย",
		// A vowel sign belongs to its letter.
		"हिन्दी में": "हिन्दी में",
	} {
		if got := strings.Join(TextWords(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWordsOfRankingLeaveOutNumbersAndLetters(t *testing.T) {
	t.Parallel()
	if got, want := strings.Join(Words("Fix c parser 8080 for 저장소를 café's v2"), " "), "fix parser 저장 장소 소를 cafe v2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What a person types finds what was written, in either direction.
func TestFormsOfAWordMeet(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"cafe", "café"}, {"resume", "Résumé"}, {"configuración", "configuraciones"}, {"база", "базы"}, {"сервера", "серверов"},
		{"저장소", "저장소에서"}, {"gen-itgc", "请检查gen-itgc的日志"}, {"日志", "请检查gen-itgc的日志"}, {"running", "runs"},
	} {
		wanted := TextWords(pair[1])
		for _, w := range TextWords(pair[0]) {
			if !slices.Contains(wanted, w) {
				t.Errorf("%q has %q, which %q has not: %q", pair[0], w, pair[1], wanted)
			}
		}
	}
}

func TestNoWordIsCutWithinACharacter(t *testing.T) {
	t.Parallel()
	for r := range rune(0x30000) {
		for _, word := range slices.Concat(TextWords("99"+string(r)), Words("ab"+string(r)+string(r))) {
			if !utf8.ValidString(word) || strings.ContainsRune(word, ' ') {
				t.Fatalf("%q becomes %q", string(r), word)
			}
		}
	}
}

func TestTicketsAreSpokenOf(t *testing.T) {
	t.Parallel()
	for text, tickets := range map[string][]string{
		"Fixed #24149 -- lists, refs #24149 and (#7)": {"#24149", "#7"},
		"KAFKA-1234: close the log":                   {"KAFKA-1234"},
		"release 2012-11-17, v1.2, x-12 and # 3":      nil,
		"A-1 #":                                       nil,
	} {
		want := Terms(text)
		for _, ticket := range tickets {
			want = append(want, WordOf(ticket))
		}
		if got := Spoken(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
