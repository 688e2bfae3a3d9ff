package desk

import "testing"

func TestAStepIsDoneWhenOneSentenceTellsOfIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		step, later string
		want        bool
	}{
		// must
		{"Describe the install in the README", "readme: describes the install", true},
		{"describe the install", "I described the install and went home.", true},
		{"write a test for the parser", "Wrote a test for the parser.", true},
		{"run the migration on staging", "The build is green. The migration ran on staging without a hitch", true},
		{"Then rename the login handler", "login: rename handler", true},
		{"add an index on session tokens", "Added the index on tokens of a session.", true},
		{"deploy", "It is deployed.", true},
		{"migrate the prices to cents", "Next: migrate the prices to cents", true}, // told as left again
		{"Still to do: describe the install in the readme.", "readme: describe the install", true},
		{"go on", "", true},
		{"部署到生产环境", "已经部署到生产环境。", true},

		// must not
		{"move the session cache to redis", "The session cache is read twice.", false},
		{"write a test for the parser", "The parser fails its test.", false},
		{"describe the install", "The install fails on Windows.", false},
		{"describe the install on Windows", "Described the install on macOS.", false},
		{"delete the old login handler", "The old tests are green. The login is fast. I deleted a handler in another place.", false},
		{"describe the install", "I did not get to describe the install.", false},
		{"migrate the prices to cents", "Prices are shown in the list.", false},
		{"mend the gateway timeout", "mend the till timeout", false},
		{"deploy", "The department is closed.", false},
		{"write a test for the parser", "", false},
		{"describe the install", "I have not described the install.", false},
		{"describe the install", "I didn’t describe the install.", false},
		{"describe the install", "Nobody described the install.", false},
		{"describe the install", "The install cannot be described.", false},
		{"remove the flag", "The flag is really needed.", false},
		{"restart the server", "The server responds.", false},
		{"fix the parser", "The parser finds its file.", false},
		{"delete the cache", "The cache is described in the docs.", false},
		{"部署到生产环境", "已经修复了登录页面。", false},
	} {
		if got := StepDone(c.step, c.later); got != c.want {
			t.Errorf("%q after %q: %v, want %v", c.step, c.later, got, c.want)
		}
	}
}
