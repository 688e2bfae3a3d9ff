package crystal

import (
	"strings"
	"testing"
)

func TestAims(t *testing.T) {
	request, past := Aim{Request: true}, Aim{Past: true}
	course, summary := Aim{Past: true, Course: true}, Aim{Past: true, Course: true, Answered: true}
	for text, want := range map[string]Aim{
		"How should I format the dates?":                              request,
		"Could you show me how to log in?":                            request,
		"What do I need to include?":                                  request,
		"Fix the login bug":                                           request,
		"please, add a test":                                          request,
		"I’m about to edit the draft. What would you suggest?":        request,
		"I prefer short answers, so what can we do about the README?": request,

		"Refactor the parser in order to speed it up":              request,
		"How should I set up CI in order to deploy?":               request,
		"Add a summary line to the report":                         request,
		"Add a check that the argument passed to Parse is not nil": request,
		"Check that the file has the right mode":                   request,
		"please fix the change I made to the lexer":                request,

		"When was the port changed?":                past,
		"When did I change the port?":               past,
		"How many retries are allowed?":             past,
		"How should it look, and what did we say?":  past,
		"Which library have we already decided on?": past,
		"the port that I mentioned":                 past,

		"In what order did we build it, over time?":           course,
		"List the order in which I brought up the migrations": course,
		"How has the parser evolved?":                         course,
		"Can you summarize the work on the parser?":           summary,
		"Give me an overview of the release":                  summary,
		"What did you recommend for the cache?":               {Past: true, Answered: true},
		"When is the release?":                                {},
		"why is there no session table":                       {},
		"session table":                                       {},
		"":                                                    {},
		"…":                                                   {},
		strings.Repeat("can you do this and that for me? ", 40): {}, // a document
	} {
		if got := AimOf(text); got != want {
			t.Errorf("%.60q: %+v, want %+v", text, got, want)
		}
	}
}
