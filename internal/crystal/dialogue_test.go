package crystal

import "testing"

func TestWhoAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"":                       false,
		"Which port?":            true,
		"Which port? I forgot.":  true,
		"(who knows?)":           true,
		"really?! yes":           true,
		"“Why?” she said":        true,
		"see https://x.org/?a=1": false,
		"call a?.b and c??d":     false,
		"x ? y : z":              true, // code that looks like a sentence
		"just do it.":            false,
	} {
		if got := Asks(text); got != want {
			t.Errorf("%q asks: %v, want %v", text, got, want)
		}
	}
}

func TestWhoSpeaks(t *testing.T) {
	for text, want := range map[string]string{
		"Ann: hello":                     "Ann",
		"Ann Lee:\nhello":                "Ann Lee",
		"Dr. O'Neil: yes":                "Dr. O'Neil",
		"Ångström: ja":                   "Ångström",
		"太郎: はい":                         "太郎",
		"Ann:":                           "Ann",
		"ann: hello":                     "",
		"Std::string is slow":            "",
		"C:\\Users is full":              "",
		"https://x.org":                  "",
		"Step 3: build":                  "",
		"The way we do it is this: look": "",
		"hello":                          "",
		"":                               "",
		": hello":                        "",
		"A very long name that goes on and on and on: x": "",
	} {
		if got := SpeakerOf(text); got != want {
			t.Errorf("%q is said by %q, want %q", text, got, want)
		}
	}
}
