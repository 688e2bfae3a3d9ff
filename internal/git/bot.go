package git

import (
	"slices"
	"strings"
)

// makers are programs that write changes. Their name counts as author and as committer: a workflow that commits on a
// person's behalf writes the person as author and itself as committer.
var makers = []string{
	"allcontributors", "codecov", "dependabot", "dependabot-preview", "depfu", "github-action", "github-actions",
	"gitlab-ci",
	"greenkeeper", "greenkeeperio", "imgbot", "pre-commit-ci", "pyup-bot", "renovate", "scala-steward",
	"semantic-release",
	"snyk", "snyk-bot", "whitesource", "mend-for-github-com",
}

// landers are programs that put people's work on the main branch, or carry in their translations: as author a bot, as
// committer only the porter.
var landers = []string{
	"bors", "copybara", "copybara-service", "crowdin", "facebook-github-bot", "graphite-app", "homu", "hosted-weblate",
	"k8s-ci-robot", "k8s-merge-robot", "kodiakhq", "mergify", "prow", "transifex", "weblate", "zuul",
}

// colleagues are coding agents: they do a person's work, and such work is what this memory is for.
var colleagues = []string{
	"amazon-q-developer", "chatgpt-codex-connector", "claude", "copilot", "copilot-swe-agent", "cursor", "cursoragent",
	"devin-ai-integration", "gemini-code-assist", "google-labs-jules", "openhands", "sweep-ai",
}

// madeByBot reports whether a program made the change, as routine. The names are looked at and not kept.
func madeByBot(author, authorMail, committer, committerMail string) bool {
	if isBot(author, authorMail) {
		return true
	}
	return isBot(committer, committerMail) && !isOne(landers, committer, committerMail)
}

func isBot(name, mail string) bool {
	if isOne(colleagues, name, mail) {
		return false
	}
	for _, n := range called(name, mail) {
		for _, end := range []string{"[bot]", "-bot", "_bot", " bot", "-robot"} {
			if strings.HasSuffix(n, end) {
				return true
			}
		}
		if n == "bot" {
			return true
		}
	}
	return isOne(makers, name, mail) || isOne(landers, name, mail)
}

func isOne(list []string, name, mail string) bool {
	for _, n := range called(name, mail) {
		if slices.Contains(list, bare(n)) || slices.Contains(list, n) {
			return true
		}
	}
	return false
}

// called lists what somebody is known by, in small letters: the name, and the e-mail's local part without the number
// that GitHub puts before it. People are not matched by parts of words: Talbot is not a bot.
func called(name, mail string) [2]string {
	local, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(mail)), "@")
	if number, login, found := strings.Cut(local, "+"); found && strings.Trim(number, "0123456789") == "" {
		local = login
	}
	return [2]string{strings.ToLower(strings.TrimSpace(name)), local}
}

// bare takes the marks of a bot off its name: "Renovate Bot", "renovate[bot]" and "renovate-bot" are renovate.
func bare(name string) string {
	name = strings.ReplaceAll(name, " ", "-")
	for _, end := range []string{"[bot]", "-bot", "_bot"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
