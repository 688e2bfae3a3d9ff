package statements

import "testing"

func TestWordsThatSayNothingAreTakenOff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Never push to main.":                                    "Never push to main.",
		"hm, no, please never mock the database in tests":        "never mock the database in tests",
		"no wait, sorry, the staging server has its own account": "the staging server has its own account",
		"No tests may touch the network":                         "No tests may touch the network",
		"(we use pnpm in every package)":                         "we use pnpm in every package",
		"we drop the docker image, thanks!":                      "we drop the docker image",
	} {
		if got := trimFiller(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
