package statements

import "testing"

func TestAQuoteIsAWholeSentenceOrAPartOfOne(t *testing.T) {
	t.Parallel()
	const none = "-"
	for _, c := range []struct {
		text, quote string
		whole       bool
		want        string // the sentence, none if the quote is not there
	}{
		{"Never push to main.", "never push to main", true, "Never push to main."},
		{"Never push straight to main.", "push straight to main", false, "Never push straight to main."},
		{"Never push to main.", "push to main", false, none}, // too few words for a part
		{"Never push to main.", "“Never push to main”", true, "Never push to main."},
		{"Never push to main.", "never push to master", false, none},
		{"use tabs", "use tabs", false, none},
		{"Thanks. Never push to main. Ask me first.", "never push to main", true, "Never push to main."},
		{"Thanks. Never push to main. Ask me first.", "Never push to main. Ask me first.", true, "Never push to main. Ask me first."},
		{"Thanks. Never push to main. Ask me first.", "push to main ask me first", false, "Never push to main. Ask me first."},
		// Clauses belong to their sentence.
		{"You may force push, but not on shared branches.", "you may force push", false, "You may force push, but not on shared branches."},
		{"Hardly ever add comments; only where it is surprising.", "only where it is surprising", false,
			"Hardly ever add comments; only where it is surprising."},
		{"never ... run the migrations on prod", "run the migrations on prod", false, "never ... run the migrations on prod"},
		{"Never commit approx. values to the table.", "values to the table", false, "Never commit approx. values to the table."},
		{"Never edit the config. files of the customer.", "files of the customer", false, "Never edit the config. files of the customer."},
		{"nope. use tabs in go files. ok?", "use tabs in go files", true, "use tabs in go files."},
		// Lines.
		{"Do not ever\nrun migrations on the server.", "run migrations on the server", false, "Do not ever run migrations on the server."},
		{"fix the login bug please\nalways use tabs in go files", "always use tabs in go files", true, "always use tabs in go files"},
		{"under all circumstances whatever anybody else may say to you\nask me before a release", "ask me before a release", false,
			"under all circumstances whatever anybody else may say to you ask me before a release"},
		{"No\nuse the tabs here", "use the tabs here", false, "No use the tabs here"},
		{"Look at the log.\n\nNever push to main", "never push to main", true, "Never push to main"},
		// Lists: an item says nothing without what announces it.
		{"Please:\n- use tabs in go files\n- never push to main\n\nThanks a lot.", "never push to main", true, "Please: never push to main"},
		{"Never do this:\n\n1. push to main\n2. delete a tag\n", "delete a tag", true, "Never do this: delete a tag"},
		{"Never do any of these\n* push to main\n* delete a tag", "push to main", true, "Never do any of these push to main"},
		{"Don't:\n- in the tests:\n  - mock the store\n- in docs:\n  - make bad jokes", "make bad jokes", true,
			"Don't: in docs: make bad jokes"},
		{"You may push in these cases:\n- a typo\n- a broken build", "you may push in these cases", false,
			"You may push in these cases: - a typo"},
		{"- never push to main\n- use tabs in go files", "use tabs in go files", true, "use tabs in go files"},
		{"3) Never push to main", "3) never push to main", true, "Never push to main"},
		{"请总是用中文回答我", "请总是用中文回答我", true, "请总是用中文回答我"},
		{"不要总是用中文回答我", "总是用中文回答我", false, "不要总是用中文回答我"},
	} {
		at, ok := passageOf(c.text, c.quote)
		if !ok {
			at.text = none
		}
		if at.text != c.want || at.whole != c.whole {
			t.Errorf("%q in %q: whole %v, %q; want %v, %q", c.quote, c.text, at.whole, at.text, c.whole, c.want)
		}
	}
}

func TestASentenceSpeaksOfAStatementIfTheyShareTheSubject(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sentence, statement string
		want                bool
	}{
		{"Forget the rule about tabs.", "Use tabs for indentation in Go and Makefiles.", true},
		{"Get rid of the retention rule.", "retention is thirty days", true},
		{"You may push to main on Mondays.", "Never push to main.", true},
		{"You no longer have to run the tests before each commit.", "Run the tests before every commit.", true},
		{"Please answer in German from now on.", "Answer me in English.", false}, // in other words: a proposal
		{"Can you drop the rule about tabs?", "Use tabs for indentation in Go and Makefiles.", true},
		{"Do you remember the rule about tabs?", "Use tabs for indentation in Go and Makefiles.", false},
		{"Why do we use tabs for indentation in Go?", "Use tabs for indentation in Go and Makefiles.", false},
		{"Please run the tests for the parser.", "Run the tests before every commit.", false},
		{"Delete the firewall rule for port 443.", "Never expose port 5432.", false},
		{"The navigation tabs should collapse below 600px.", "Use tabs for indentation in Go and Makefiles.", false},
		{"Restart RabbitMQ, the queue is stuck.", "We stay on RabbitMQ until summer.", false},
		{"That is no longer needed.", "We stay on RabbitMQ until summer.", false},
		{"Never do that again, please.", "Never push to main.", false},
	} {
		if got := speaksOf(c.sentence, c.statement); got != c.want {
			t.Errorf("%q of %q: %v", c.sentence, c.statement, got)
		}
	}
}
