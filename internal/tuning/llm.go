package tuning

import "time"

// LLM says how a language model is asked, if one is configured.
type LLM struct {
	Calls       int // requests an hour
	MaxTokens   int // of an answer, where the caller does not say
	PromptLimit int // bytes of a prompt
	Asking
}

func (l *LLM) entries() []Entry {
	count := func(f *int) number { return scaled[int]{f, 1} }
	return append([]Entry{
		{
			Name: "llm.calls", Unit: "requests/h", Default: 20, Min: 0, Max: 100000, value: count(&l.Calls),
			Meaning: "a language model is asked at most so often, repetitions included; 0 is never", Source: "budget of the dream as it was designed",
		},
		{
			Name: "llm.max_tokens", Unit: "tokens", Default: 8000, Min: 100, Max: 1000000, value: count(&l.MaxTokens),
			Meaning: "the longest answer", Source: "a state of 4500 tokens, and room to think",
		},
		{
			Name: "llm.prompt_limit", Unit: "KB", Default: 256, Min: 1, Max: 65536, value: scaled[int]{&l.PromptLimit, kilobyte},
			Meaning: "a longer prompt is refused, never cut", Source: "five times what a dream asks with",
		},
	}, l.Asking.entries("llm",
		askedBy{4, "a hundred times the longest state"}, askedBy{180, "8000 tokens of a slow one"}, askedBy{2, remoteHabits}, askedBy{60, remoteHabits})...)
}

// Asking says how a model server is asked.
type Asking struct {
	AnswerLimit int64         // bytes of an answer
	Timeout     time.Duration // of one request
	Retries     int           // of a request that was refused for now
	RetryWait   time.Duration // before the first of them; doubles
	RetryMost   time.Duration // before any of them
}

const remoteHabits = "habits of model servers"

// askedBy is a number in which the kinds of models differ, and where it comes from.
type askedBy struct {
	number float64
	source string
}

// entries names the numbers after what the models are for.
func (a *Asking) entries(area string, answer, timeout, wait, most askedBy) []Entry {
	seconds := func(f *time.Duration) number { return duration{f, time.Second} }
	return []Entry{
		{
			Name: area + ".answer_limit", Unit: "MB", Default: answer.number, Min: 1, Max: 1024, value: scaled[int64]{&a.AnswerLimit, megabyte},
			Meaning: "a longer answer of a model is not read", Source: answer.source,
		},
		{
			Name: area + ".timeout", Unit: "s", Default: timeout.number, Min: 1, Max: 3600, value: seconds(&a.Timeout),
			Meaning: "a model that has not answered after this is given up", Source: timeout.source,
		},
		{
			Name: area + ".retries", Unit: "times", Default: 3, Min: 0, Max: 20, value: scaled[int]{&a.Retries, 1},
			Meaning: "a model that is busy is asked again so often", Source: remoteHabits,
		},
		{
			Name: area + ".retry_wait", Unit: "s", Default: wait.number, Min: 0, Max: 60, value: seconds(&a.RetryWait),
			Meaning: "after this; each further time twice as long, or as long as the server says", Source: wait.source,
		},
		{
			Name: area + ".retry_most", Unit: "s", Default: most.number, Min: 0, Max: 600, value: seconds(&a.RetryMost),
			Meaning: "but never longer than this", Source: most.source,
		},
	}
}
