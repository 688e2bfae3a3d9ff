package tuning

import "time"

// LLM says how a language model is asked, if one is configured.
type LLM struct {
	Calls       int           // requests an hour
	MaxTokens   int           // of an answer, where the caller does not say
	PromptLimit int           // bytes of a prompt
	AnswerLimit int64         // bytes of an answer
	Timeout     time.Duration // of one request
	Retries     int           // of a request that was refused for now
	RetryWait   time.Duration // before the first of them; doubles
	RetryMost   time.Duration // before any of them
}

func (l *LLM) entries() []Entry {
	seconds := func(f *time.Duration) number { return duration{f, time.Second} }
	count := func(f *int) number { return scaled[int]{f, 1} }
	const remote = "habits of model servers"
	return []Entry{
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
		{
			Name: "llm.answer_limit", Unit: "MB", Default: 4, Min: 1, Max: 1024, value: scaled[int64]{&l.AnswerLimit, megabyte},
			Meaning: "a longer answer is not read", Source: "a hundred times the longest state",
		},
		{
			Name: "llm.timeout", Unit: "s", Default: 180, Min: 1, Max: 3600, value: seconds(&l.Timeout),
			Meaning: "a model that has not answered after this is given up", Source: "8000 tokens of a slow one",
		},
		{
			Name: "llm.retries", Unit: "times", Default: 3, Min: 0, Max: 20, value: count(&l.Retries),
			Meaning: "a model that is busy is asked again so often", Source: remote,
		},
		{
			Name: "llm.retry_wait", Unit: "s", Default: 2, Min: 0, Max: 60, value: seconds(&l.RetryWait),
			Meaning: "after this; each further time twice as long, or as long as the server says", Source: remote,
		},
		{
			Name: "llm.retry_most", Unit: "s", Default: 60, Min: 0, Max: 600, value: seconds(&l.RetryMost),
			Meaning: "but never longer than this", Source: remote,
		},
	}
}
