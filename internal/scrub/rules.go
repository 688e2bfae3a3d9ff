package scrub

import (
	"slices"
	"strings"
)

// rule knows one kind of secret. It is asked only where one of its triggers occurs.
type rule struct {
	kind     string
	triggers string // lower case, three bytes or more, separated by |, matched in any case
	// find looks at the trigger at text[at:at+n] and returns the secret near it, or the zero span. It
	// may name a more exact kind. It must look no further than a fixed number of bytes unless it
	// returns what it passed over.
	find func(text string, at, n int) span
	// whole says that a span that begins at the trigger holds no other secret.
	whole bool
}

// token is a secret that announces itself: a known prefix, then a body of known letters.
type token struct {
	kind     string
	prefixes string // separated by blanks
	body     func(byte) bool
	min, max int // bytes of the body; no max is 0
	place    place
}

// place says how the prefix of a token is told from words that look like it.
type place uint8

const (
	inside  place = iota // it may stand within a word
	bounded              // it is a common ending of words, so a new word must begin with it
	drawn                // words begin like this too, so the body must look drawn by a machine as well
)

// tokens come before all other rules: a prefix names the kind best.
var tokens = []token{
	{"anthropic-key", "sk-ant-", isTokenByte, 20, 0, inside},
	{"openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", isTokenByte, 20, 0, inside},
	{"openrouter-key", "sk-or-v1-", isTokenByte, 20, 0, inside},
	{"langfuse-key", "sk-lf-", isTokenByte, 20, 0, inside},
	{"github-token", "ghp_ gho_ ghu_ ghs_ ghr_", isWord, 30, 0, inside},
	{"github-token", "github_pat_", isWord, 22, 0, inside},
	{"gitlab-token", "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glimt- glagent- gloas- " +
		"glffct- GR1348941", isDottedByte, 20, 0, inside},
	{"bitbucket-token", "ATBB", isWord, 24, 0, bounded},
	{"atlassian-token", "ATATT3 ATCTT3", isBase64Any, 40, 0, inside},
	{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxe. xoxo- xoxc- xoxd- xapp-",
		isURLByte, 20, 0, inside},
	{"slack-webhook", "hooks.slack.com/services/ hooks.slack.com/workflows/ " +
		"hooks.slack.com/triggers/", isPathByte, 20, 0, inside},
	{"discord-webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
		isPathByte, 40, 0, inside},
	{"teams-webhook", "webhook.office.com/webhookb2/", isURLByte, 40, 0, inside},
	{"zapier-webhook", "hooks.zapier.com/hooks/catch/", isPathByte, 10, 0, inside},
	{"aws-access-key", "AKIA ASIA ABIA ACCA", isUpperDigit, 16, 16, bounded},
	{"aws-bedrock-key", "ABSK", isBase64Any, 80, 0, bounded},
	{"aws-access-key", "A3T", isUpperDigit, 17, 17, bounded},
	{"alibaba-key", "LTAI", isAlnum, 16, 26, bounded},
	{"yandex-key", "AQVN", isTokenByte, 35, 38, bounded},
	{"yandex-key", "t1.", isDottedByte, 100, 0, bounded},
	{"cloudflare-key", "v1.0-", isHexDash, 150, 0, bounded},
	{"gcp-api-key", "AIza", isTokenByte, 32, 48, inside},
	{"google-oauth", "ya29.", isDottedByte, 20, 0, inside},
	{"google-oauth", "GOCSPX-", isTokenByte, 20, 0, inside},
	{"google-oauth", "1//0", isTokenByte, 36, 0, bounded},
	{"stripe-key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_live_ whsec_",
		isBase64Any, 16, 0, inside},
	{"huggingface-token", "hf_ api_org_", isAlnum, 30, 0, bounded},
	{"replicate-token", "r8_", isAlnum, 30, 0, bounded},
	{"groq-key", "gsk_", isAlnum, 40, 0, bounded},
	{"perplexity-key", "pplx-", isAlnum, 32, 0, bounded},
	{"xai-key", "xai-", isAlnum, 60, 0, bounded},
	{"tavily-key", "tvly-", isTokenByte, 20, 0, bounded},
	{"nvidia-key", "nvapi-", isTokenByte, 40, 0, bounded},
	{"pinecone-key", "pcsk_", isWord, 40, 0, bounded},
	{"langsmith-key", "lsv2_pt_ lsv2_sk_", isWord, 30, 0, inside},
	{"npm-token", "npm_", isAlnum, 34, 0, bounded},
	{"pypi-token", "pypi-AgE", isTokenByte, 40, 0, inside},
	{"rubygems-key", "rubygems_", isLowerHex, 40, 0, inside},
	{"cargo-token", "cio", isAlnum, 32, 32, bounded},
	{"nuget-key", "oy2", isLowerDigit, 43, 43, bounded},
	{"docker-token", "dckr_pat_ dckr_oat_", isTokenByte, 20, 0, inside},
	{"artifactory-key", "AKCp", isAlnum, 60, 0, bounded},
	{"artifactory-token", "cmVmd", isAlnum, 59, 59, bounded},
	{"clojars-token", "CLOJARS_", isLowerDigit, 60, 0, inside},
	{"digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", isLowerHex, 40, 0, inside},
	{"heroku-key", "HRKU-", isTokenByte, 30, 0, inside},
	{"fly-token", "fm1r_ fm1a_ fm2_ fo1_", isBase64Any, 40, 0, bounded},
	{"netlify-token", "nfp_ nfc_ nfo_ nfu_", isAlnum, 36, 0, bounded},
	{"render-key", "rnd_", isAlnum, 28, 0, bounded},
	{"supabase-key", "sbp_", isLowerHex, 40, 0, bounded},
	{"supabase-key", "sb_secret_", isTokenByte, 20, 0, inside},
	{"planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", isDottedByte, 20, 0, inside},
	{"doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", isDottedByte, 30, 0, bounded},
	{"pulumi-token", "pul-", isLowerHex, 40, 40, bounded},
	{"shopify-token", "shpat_ shpca_ shppa_ shpss_", isHex, 32, 0, inside},
	{"square-token", "sq0atp- sq0csp- sq0idp-", isTokenByte, 20, 0, inside},
	{"square-token", "EAAA", isTokenByte, 60, 64, bounded},
	{"facebook-token", "EAACEdEose0cBA", isAlnum, 16, 0, bounded},
	{"facebook-token", "EAA", isAlnum, 80, 0, bounded},
	{"braintree-token", "access_token$production$ access_token$sandbox$",
		isBraintreeByte, 40, 0, inside},
	{"plaid-token", "access-production- access-sandbox- access-development-",
		isTokenByte, 36, 36, inside},
	{"flutterwave-key", "FLWSECK- FLWSECK_TEST-", isTokenByte, 20, 0, inside},
	{"adafruit-key", "aio_", isAlnum, 24, 40, drawn},
	{"neon-key", "napi_", isAlnum, 40, 0, drawn},
	{"firecrawl-key", "fc-", isLowerHex, 32, 32, bounded},
	{"together-key", "tgp_v1_", isTokenByte, 24, 0, bounded},
	{"vercel-token", "vcp_ vck_ vci_ vca_ vcr_", isAlnum, 24, 0, drawn},
	{"statsig-key", "secret- client- console-", isAlnum, 32, 64, drawn},
	{"api-key", "key_", isAlnum, 20, 64, drawn},
	{"twilio-key", "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf " +
		"SKA SKB SKC SKD SKE SKF",
		isHex, 31, 31, bounded},
	{"easypost-key", "EZAK EZTK", isAlnum, 54, 54, bounded},
	{"shippo-token", "shippo_live_ shippo_test_", isHex, 40, 0, inside},
	{"duffel-token", "duffel_live_ duffel_test_", isTokenByte, 40, 0, inside},
	{"sendgrid-key", "SG.", isDottedByte, 50, 0, bounded},
	{"mailgun-key", "key- pubkey-", isLowerHex, 32, 32, bounded},
	{"brevo-key", "xkeysib- xsmtpsib-", isTokenByte, 40, 0, inside},
	{"resend-key", "re_", isWord, 30, 40, bounded},
	{"lob-key", "live_ test_", isLowerHex, 35, 35, bounded},
	{"dropbox-token", "sl.", isBase64Any, 120, 0, bounded},
	{"frameio-token", "fio-u-", isTokenByte, 60, 0, bounded},
	{"adobe-secret", "p8e-", isAlnum, 32, 32, bounded},
	{"clickhouse-key", "4b1d", isAlnum, 38, 38, bounded},
	{"databricks-token", "dapi", isHexDash, 32, 34, bounded},
	{"new-relic-key", "NRAK- NRII- NRRA- NRIQ- NRSP-", isTokenByte, 20, 0, inside},
	{"new-relic-key", "NRJS-", isLowerHex, 19, 0, bounded},
	{"sentry-token", "sntrys_ sntryu_", isBase64Any, 32, 0, inside},
	{"grafana-token", "glsa_ glc_", isBase64Any, 30, 0, bounded},
	{"grafana-token", "eyJrIjoi", isBase64Any, 60, 0, bounded},
	{"dynatrace-token", "dt0c01. dt0s16. dt0s01.", isDottedByte, 60, 0, inside},
	{"posthog-key", "phx_ phs_", isWord, 32, 0, bounded},
	{"vault-token", "hvs. hvb. hvr.", isTokenByte, 20, 0, bounded},
	{"openshift-token", "sha256~", isTokenByte, 43, 43, bounded},
	{"scalingo-token", "tk-us-", isTokenByte, 40, 56, bounded},
	{"octopus-key", "API-", isUpperDigit, 25, 32, bounded},
	{"harness-token", "pat. sat.", isDottedByte, 68, 68, bounded},
	{"infracost-key", "ico-", isAlnum, 32, 32, bounded},
	{"settlemint-token", "sm_pat_ sm_aat_ sm_sat_", isAlnum, 16, 16, bounded},
	{"defined-key", "dnkey-", isTokenByte, 70, 0, bounded},
	{"authress-key", "scauth_ authress_", isDottedByte, 60, 0, bounded},
	{"intra42-secret", "s-s4t2ud- s-s4t2af-", isHex, 64, 64, bounded},
	{"linear-key", "lin_api_ lin_oauth_", isAlnum, 30, 0, inside},
	{"notion-token", "ntn_", isAlnum, 40, 0, bounded},
	{"notion-token", "secret_", isAlnum, 43, 43, bounded},
	{"figma-token", "figd_ figo_ figoh_ figu_", isTokenByte, 30, 0, inside},
	{"postman-key", "PMAK- PMAT-", isTokenByte, 24, 0, inside},
	{"hubspot-token", "pat-na1- pat-eu1- pat-na2- pat-ap1-", isHexDash, 36, 0, inside},
	{"typeform-token", "tfp_", isTokenByte, 40, 0, bounded},
	{"contentful-token", "CFPAT-", isTokenByte, 30, 0, inside},
	{"mapbox-token", "sk.eyJ", isDottedByte, 40, 0, bounded},
	{"readme-key", "rdme_", isAlnum, 40, 0, inside},
	{"sonar-token", "squ_ sqp_ sqa_", isLowerHex, 40, 0, bounded},
	{"sourcegraph-token", "sgp_", isWord, 40, 0, bounded},
	{"buildkite-token", "bkua_ bkct_ bkpt_", isAlnum, 30, 0, bounded},
	{"circleci-token", "CCIPAT_ CCIPRJ_", isWord, 30, 0, inside},
	{"prefect-key", "pnu_ pnb_", isAlnum, 30, 0, bounded},
	{"launchdarkly-key", "sdk- api-", isHexDash, 36, 36, bounded},
	{"1password-token", "ops_eyJ", isBase64Any, 60, 0, inside},
	{"1password-key", "A3-", isUpperDash, 35, 38, bounded},
	{"jwt", "ZXlK", isBase64Any, 60, 0, bounded}, // once more in base64
	{"tailscale-key", "tskey-", isTokenByte, 16, 0, inside},
	{"age-key", "AGE-SECRET-KEY-1 age-secret-key-1 AGE-SECRET-KEY-PQ-1", isAlnum, 40, 0, inside},
	{"wallet-key", "xprv yprv zprv tprv", isAlnum, 90, 0, bounded},
	{"nostr-key", "nsec1", isAlnum, 50, 0, bounded},
	{"password-hash", "$2y$ $2a$ $2b$", isCryptByte, 50, 0, inside},
	{"password-hash", "$apr1$ $1$ $5$ $6$ $7$ $y$ $argon2 $scrypt$ {SHA} {SSHA} pbkdf2_sha256$ " +
		"pbkdf2:sha256:", isCryptByte, 20, 0, inside},
}

// flanked is a secret with a mark in its middle or at its end.
type flanked struct {
	kind             string
	marks            string // separated by blanks
	head             func(byte) bool
	headMin, headMax int
	body             func(byte) bool
	bodyMin, bodyMax int // no max is -1
}

var marked = []flanked{
	{"azure-client-secret", "0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~",
		isAlnum, 3, 3, isAzureSecretByte, 28, 40},
	{"telegram-token", ":AA %3AAA %3aAA", isDigit, 8, 12, isTokenByte, 30, 38},
	{"fcm-key", ":APA91b", isTokenByte, 0, 30, isTokenByte, 100, -1},
	{"mailchimp-key", "-us", isLowerHex, 32, 32, isDigit, 1, 2},
	{"new-relic-key", "NRAL", isLowerHex, 36, 36, isWord, 0, 0},
	{"terraform-token", ".atlasv1.", isAlnum, 10, 20, isTokenByte, 40, -1},
	{"maxmind-key", "_mmk", isWord, 36, 36, isWord, 0, 0},
}

// find reads the secret around the mark at text[at:at+n].
func (f *flanked) find(text string, at, n int) span {
	head := runBack(text[:at], f.head, f.headMax)
	if known := slices.Contains(strings.Fields(f.marks), text[at:at+n]); !known || head < f.headMin {
		return span{}
	}
	limit := f.bodyMax + 1
	if f.bodyMax < 0 {
		limit = len(text)
	}
	body := run(text[at+n:], f.body, limit)
	return unless(body < f.bodyMin || f.bodyMax >= 0 && body > f.bodyMax, at-head, at+n+body)
}

// shapes are the secrets known by what stands around them, or by their build. It is a function, so
// that the lists in it are made when they are needed.
func shapes() []rule {
	return []rule{
		{"private-key", "-----begin|private-lines:", findPrivateKey, true},
		{"private-key", "-----end", findPrivateKeyEnd, false},
		{"private-key", "miia|miib|miic|miie|miif|miig|miih|miij|miik|mhccaqeei|mighageambmg|mc4caqawbqyd|migkageb|mihcageb|" +
			"b3blbnnzac1rzxktdje", findKeyBody, true},
		{"jwt", "eyj", findJWT, true},
		{"openai-key", "sk-", findPlainSK, false},
		{"elevenlabs-key", "sk_", findPlainSK, false},
		{"aws-secret", "akia|asia", findSecretNearKeyID, false},
		{"azure-sas", "sig=", findSignature, false},
		{"signed-url", "signature=", findSignature, false},
		{"discord-token", discordBegins(), findDiscord, true},
		{"asana-token", eachOf("1/|2/", "0123456789"), findAsana, true},
		{"mailgun-key", "mailgun", findMailgun, false},
		{"vault-token", eachOf("s.", "abcdefghijklmnopqrstuvwxyz0123456789"), findVaultToken, true},
		{"airtable-token", "pat", findAirtable, false},
		{"seed-phrase", "seed phrase|seed_phrase|seedphrase|mnemonic|recovery phrase|seed words", findSeedPhrase, false},
		{"sentry-dsn", "://", findSentryDSN, false},
		{"url-password", `://|:%2f%2f|%3a%2f%2f|:\/\/`, findURLPassword, false},
		{"pgpass", ":5432:|:5433:|:6432:", findPgpass, false},
		{"basic-auth", `basic|auth"|_auth`, findBasicAuth, false},
		{"basic-auth", "basicauth(|auth=(", findBasicAuthCall, false},
		{"bearer-token", "bearer", findBearer, false},
		{"auth-header", "authorization", findAuthorization, false},
		{"cookie", "cookie", findCookie, false},
		{"cookie", "sessionid=|sessid=|connect.sid=|session=|sessionid%3d", findSessionCookie, false},
		{"password", "curl|wget|httpie|sshpass|mysql|mariadb|redis-cli|login|mongo|ldap|openssl|htpasswd|" +
			"smbclient|-passin|-passout|7z |zip |psexec|sqlcmd|nmcli", findCommandPassword, false},
		{"password", "/p:|/pass:|/password:", findSlashFlag, false},
		{"password", "net use ", findNetUse, false},
		{"password", "identified", findIdentifiedBy, false},
		{"password", "password '", findQuotedShout, false},
		{"password", "wifi|wi-fi|ssid|wpa", findWifi, false},
		{"password", "--password-stdin|chpasswd|sudo -|passwd --stdin|--passphrase-fd|--with-token|" +
			"vault login", findPiped, false},
		{"password", "pass|pwd|_pw| pw", findPassword, false},
		{"secret", "secret|token|apikey|api_key|api-key|api key|access_key|accesskey|access-key|" +
			"access key|private_key|privatekey|private-key|auth_key|authkey|account_key|" +
			"accountkey|encryption_key|encryptionkey|signing_key|signingkey|master_key|masterkey|" +
			"client-key-data|credential", findAssignedSecret, false},
		{"secret", "_key|-key|&key|?key|_hmac|_salt|_pat|_jwt", findAssignedKey, false},
		{"password", "passwor|passphrase|passwd|passcode|kennwort|mot de passe|contrase|senha|парол|Парол|" +
			"ПАРОЛ|密码|密碼|パスワード|비밀번호|hasło|wachtwoord|lösenord|parola|şifre|Şifre|passord|heslo|" +
			" pw| pwd| pass", findSpokenPassword, false},
		{"password", "passwor|passphrase|passcode| pw| pwd| pass", findPlainPassword, false},
		{"password", "passwor|passphrase", findPasswordBefore, false},
		{"secret", "token|api key|secret|access key|auth key|private key|api-key| key|schlüssel|clave|" +
			"chave|sleutel|ключ", findSpokenSecret, false},
		{"code", "pin|code|otp|totp|passcode", findSpokenCode, false},
		{"password", "log in|login|sign in|log on|creds|credentials", findSpokenLogin, false},
	}
}

// eachOf joins each beginning to each letter.
func eachOf(begins, letters string) string {
	var all []string
	for begin := range strings.SplitSeq(begins, "|") {
		for i := range len(letters) {
			all = append(all, begin+letters[i:i+1])
		}
	}
	return strings.Join(all, "|")
}

// discordBegins are the beginnings, in lower case, of a number of Discord in base64: of three
// digits each the first gives m, n or o, the second one of four letters, the third one of ten.
func discordBegins() string { return eachOf(eachOf("m|n|o", "dtjz"), "aeimquycgk") }

// allRules returns the rules, the most telling first.
func allRules() []rule {
	rest := shapes()
	triggers := func(list string) string { return strings.ReplaceAll(strings.ToLower(list), " ", "|") }
	rules := make([]rule, 0, len(tokens)+len(marked)+len(rest))
	for i := range tokens {
		t := &tokens[i]
		rules = append(rules, rule{t.kind, triggers(t.prefixes), t.find, true})
	}
	for i := range marked {
		f := &marked[i]
		rules = append(rules, rule{f.kind, triggers(f.marks), f.find, false})
	}
	return append(rules, rest...)
}

// find reads the token at text[at:], whose prefix has n bytes.
func (t *token) find(text string, at, n int) span {
	if t.place != inside && !wordBegins(text, at) {
		return span{}
	}
	limit := len(text)
	if t.max > 0 {
		limit = t.max + 1
	}
	body := run(text[at+n:], t.body, limit)
	// A sentence may end after a token; its full stop is not part of it.
	secret := strings.TrimRight(text[at+n:at+n+body], ".-")
	if len(secret) < t.min || t.max > 0 && len(secret) > t.max || few(secret) {
		return span{}
	}
	// Words that mark a stand-in elsewhere do not count here: the shape is unmistakable, and the
	// documented examples, AKIA…EXAMPLE, are what people try a redaction with.
	cased := slices.Contains(strings.Fields(t.prefixes), text[at:at+n])
	return unless(!cased || t.place == drawn && (!mixed(secret) || !random(secret)), at, at+n+len(secret))
}
