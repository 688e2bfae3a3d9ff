package scrub

import (
	"slices"
	"strings"
)

// rule knows one kind of secret. It is asked only where one of its triggers occurs.
type rule struct {
	kind     string
	triggers []string // lower case, three bytes or more, matched in any case
	// find looks at the trigger at text[at:at+n] and returns the secret near it, or the zero span. It may name a more
	// exact kind. It must look no further than a fixed number of bytes unless it returns what it passed over.
	find func(text string, at, n int) span
	// whole says that a span that begins at the trigger holds no other secret.
	whole bool
}

// token is a secret that announces itself: a known prefix, then a body of known letters.
type token struct {
	kind     string
	prefixes []string
	body     func(byte) bool
	min      int  // bytes of the body
	max      int  // 0: any
	bounded  bool // the prefix is a common ending of words, so a new word must begin with it
	drawn    bool // words begin like this too, so the body must look drawn by a machine
}

// tokens come before all other rules: a prefix names the kind best.
var tokens = []token{
	{kind: "anthropic-key", prefixes: []string{"sk-ant-"}, body: isTokenByte, min: 20},
	{kind: "openai-key", prefixes: []string{"sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"}, body: isTokenByte, min: 20},
	{kind: "openrouter-key", prefixes: []string{"sk-or-v1-"}, body: isTokenByte, min: 20},
	{kind: "langfuse-key", prefixes: []string{"sk-lf-"}, body: isTokenByte, min: 20},
	{kind: "github-token", prefixes: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, body: isWord, min: 30},
	{kind: "github-token", prefixes: []string{"github_pat_"}, body: isWord, min: 22},
	{kind: "gitlab-token", prefixes: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-", "glffct-", "GR1348941"}, body: isDottedByte, min: 20},
	{kind: "bitbucket-token", prefixes: []string{"ATBB"}, body: isWord, min: 24, bounded: true},
	{kind: "atlassian-token", prefixes: []string{"ATATT3", "ATCTT3"}, body: isBase64Any, min: 40},
	{kind: "slack-token", prefixes: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxo-", "xoxc-", "xoxd-", "xapp-"}, body: isURLByte, min: 20},
	{kind: "slack-webhook", prefixes: []string{"hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"}, body: isPathByte, min: 20},
	{kind: "discord-webhook", prefixes: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, body: isPathByte, min: 40},
	{kind: "teams-webhook", prefixes: []string{"webhook.office.com/webhookb2/"}, body: isURLByte, min: 40},
	{kind: "zapier-webhook", prefixes: []string{"hooks.zapier.com/hooks/catch/"}, body: isPathByte, min: 10},
	{kind: "aws-access-key", prefixes: []string{"AKIA", "ASIA", "ABIA", "ACCA"}, body: isUpperDigit, min: 16, max: 16, bounded: true},
	{kind: "aws-bedrock-key", prefixes: []string{"ABSK"}, body: isBase64Any, min: 80, bounded: true},
	{kind: "aws-access-key", prefixes: []string{"A3T"}, body: isUpperDigit, min: 17, max: 17, bounded: true},
	{kind: "alibaba-key", prefixes: []string{"LTAI"}, body: isAlnum, min: 16, max: 26, bounded: true},
	{kind: "yandex-key", prefixes: []string{"AQVN"}, body: isTokenByte, min: 35, max: 38, bounded: true},
	{kind: "yandex-key", prefixes: []string{"t1."}, body: isDottedByte, min: 100, bounded: true},
	{kind: "cloudflare-key", prefixes: []string{"v1.0-"}, body: isHexDash, min: 150, bounded: true},
	{kind: "gcp-api-key", prefixes: []string{"AIza"}, body: isTokenByte, min: 32, max: 48},
	{kind: "google-oauth", prefixes: []string{"ya29."}, body: isDottedByte, min: 20},
	{kind: "google-oauth", prefixes: []string{"GOCSPX-"}, body: isTokenByte, min: 20},
	{kind: "google-oauth", prefixes: []string{"1//0"}, body: isTokenByte, min: 36, bounded: true},
	{kind: "stripe-key", prefixes: []string{"sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "sk_org_live_", "whsec_"}, body: isBase64Any, min: 16},
	{kind: "huggingface-token", prefixes: []string{"hf_", "api_org_"}, body: isAlnum, min: 30, bounded: true},
	{kind: "replicate-token", prefixes: []string{"r8_"}, body: isAlnum, min: 30, bounded: true},
	{kind: "groq-key", prefixes: []string{"gsk_"}, body: isAlnum, min: 40, bounded: true},
	{kind: "perplexity-key", prefixes: []string{"pplx-"}, body: isAlnum, min: 32, bounded: true},
	{kind: "xai-key", prefixes: []string{"xai-"}, body: isAlnum, min: 60, bounded: true},
	{kind: "tavily-key", prefixes: []string{"tvly-"}, body: isTokenByte, min: 20, bounded: true},
	{kind: "nvidia-key", prefixes: []string{"nvapi-"}, body: isTokenByte, min: 40, bounded: true},
	{kind: "pinecone-key", prefixes: []string{"pcsk_"}, body: isWord, min: 40, bounded: true},
	{kind: "langsmith-key", prefixes: []string{"lsv2_pt_", "lsv2_sk_"}, body: isWord, min: 30},
	{kind: "npm-token", prefixes: []string{"npm_"}, body: isAlnum, min: 34, bounded: true},
	{kind: "pypi-token", prefixes: []string{"pypi-AgE"}, body: isTokenByte, min: 40},
	{kind: "rubygems-key", prefixes: []string{"rubygems_"}, body: isLowerHex, min: 40},
	{kind: "cargo-token", prefixes: []string{"cio"}, body: isAlnum, min: 32, max: 32, bounded: true},
	{kind: "nuget-key", prefixes: []string{"oy2"}, body: isLowerDigit, min: 43, max: 43, bounded: true},
	{kind: "docker-token", prefixes: []string{"dckr_pat_", "dckr_oat_"}, body: isTokenByte, min: 20},
	{kind: "artifactory-key", prefixes: []string{"AKCp"}, body: isAlnum, min: 60, bounded: true},
	{kind: "artifactory-token", prefixes: []string{"cmVmd"}, body: isAlnum, min: 59, max: 59, bounded: true},
	{kind: "clojars-token", prefixes: []string{"CLOJARS_"}, body: isLowerDigit, min: 60},
	{kind: "digitalocean-token", prefixes: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, body: isLowerHex, min: 40},
	{kind: "heroku-key", prefixes: []string{"HRKU-"}, body: isTokenByte, min: 30},
	{kind: "fly-token", prefixes: []string{"fm1r_", "fm1a_", "fm2_", "fo1_"}, body: isBase64Any, min: 40, bounded: true},
	{kind: "netlify-token", prefixes: []string{"nfp_", "nfc_", "nfo_", "nfu_"}, body: isAlnum, min: 36, bounded: true},
	{kind: "render-key", prefixes: []string{"rnd_"}, body: isAlnum, min: 28, bounded: true},
	{kind: "supabase-key", prefixes: []string{"sbp_"}, body: isLowerHex, min: 40, bounded: true},
	{kind: "supabase-key", prefixes: []string{"sb_secret_"}, body: isTokenByte, min: 20},
	{kind: "planetscale-token", prefixes: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, body: isDottedByte, min: 20},
	{kind: "doppler-token", prefixes: []string{"dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."}, body: isDottedByte, min: 30, bounded: true},
	{kind: "pulumi-token", prefixes: []string{"pul-"}, body: isLowerHex, min: 40, max: 40, bounded: true},
	{kind: "shopify-token", prefixes: []string{"shpat_", "shpca_", "shppa_", "shpss_"}, body: isHex, min: 32},
	{kind: "square-token", prefixes: []string{"sq0atp-", "sq0csp-", "sq0idp-"}, body: isTokenByte, min: 20},
	{kind: "square-token", prefixes: []string{"EAAA"}, body: isTokenByte, min: 60, max: 64, bounded: true},
	{kind: "facebook-token", prefixes: []string{"EAACEdEose0cBA"}, body: isAlnum, min: 16, bounded: true},
	{kind: "facebook-token", prefixes: []string{"EAA"}, body: isAlnum, min: 80, bounded: true},
	{kind: "braintree-token", prefixes: []string{"access_token$production$", "access_token$sandbox$"}, body: func(c byte) bool { return isLowerDigit(c) || c == '$' }, min: 40},
	{kind: "plaid-token", prefixes: []string{"access-production-", "access-sandbox-", "access-development-"}, body: isTokenByte, min: 36, max: 36},
	{kind: "flutterwave-key", prefixes: []string{"FLWSECK-", "FLWSECK_TEST-"}, body: isTokenByte, min: 20},
	{kind: "adafruit-key", prefixes: []string{"aio_"}, body: isAlnum, min: 24, max: 40, bounded: true, drawn: true},
	{kind: "neon-key", prefixes: []string{"napi_"}, body: isAlnum, min: 40, bounded: true, drawn: true},
	{kind: "firecrawl-key", prefixes: []string{"fc-"}, body: isLowerHex, min: 32, max: 32, bounded: true},
	{kind: "together-key", prefixes: []string{"tgp_v1_"}, body: isTokenByte, min: 24, bounded: true},
	{kind: "vercel-token", prefixes: []string{"vcp_", "vck_", "vci_", "vca_", "vcr_"}, body: isAlnum, min: 24, bounded: true, drawn: true},
	{kind: "statsig-key", prefixes: []string{"secret-", "client-", "console-"}, body: isAlnum, min: 32, max: 64, bounded: true, drawn: true},
	{kind: "api-key", prefixes: []string{"key_"}, body: isAlnum, min: 20, max: 64, bounded: true, drawn: true},
	{kind: "easypost-key", prefixes: []string{"EZAK", "EZTK"}, body: isAlnum, min: 54, max: 54, bounded: true},
	{kind: "shippo-token", prefixes: []string{"shippo_live_", "shippo_test_"}, body: isHex, min: 40},
	{kind: "duffel-token", prefixes: []string{"duffel_live_", "duffel_test_"}, body: isTokenByte, min: 40},
	{kind: "sendgrid-key", prefixes: []string{"SG."}, body: isDottedByte, min: 50, bounded: true},
	{kind: "mailgun-key", prefixes: []string{"key-", "pubkey-"}, body: isLowerHex, min: 32, max: 32, bounded: true},
	{kind: "brevo-key", prefixes: []string{"xkeysib-", "xsmtpsib-"}, body: isTokenByte, min: 40},
	{kind: "resend-key", prefixes: []string{"re_"}, body: isWord, min: 30, max: 40, bounded: true},
	{kind: "lob-key", prefixes: []string{"live_", "test_"}, body: isLowerHex, min: 35, max: 35, bounded: true},
	{kind: "dropbox-token", prefixes: []string{"sl."}, body: isBase64Any, min: 120, bounded: true},
	{kind: "frameio-token", prefixes: []string{"fio-u-"}, body: isTokenByte, min: 60, bounded: true},
	{kind: "adobe-secret", prefixes: []string{"p8e-"}, body: isAlnum, min: 32, max: 32, bounded: true},
	{kind: "clickhouse-key", prefixes: []string{"4b1d"}, body: isAlnum, min: 38, max: 38, bounded: true},
	{kind: "databricks-token", prefixes: []string{"dapi"}, body: isHexDash, min: 32, max: 34, bounded: true},
	{kind: "new-relic-key", prefixes: []string{"NRAK-", "NRII-", "NRRA-", "NRIQ-", "NRSP-"}, body: isTokenByte, min: 20},
	{kind: "new-relic-key", prefixes: []string{"NRJS-"}, body: isLowerHex, min: 19, bounded: true},
	{kind: "sentry-token", prefixes: []string{"sntrys_", "sntryu_"}, body: isBase64Any, min: 32},
	{kind: "grafana-token", prefixes: []string{"glsa_", "glc_"}, body: isBase64Any, min: 30, bounded: true},
	{kind: "grafana-token", prefixes: []string{"eyJrIjoi"}, body: isBase64Any, min: 60, bounded: true},
	{kind: "dynatrace-token", prefixes: []string{"dt0c01.", "dt0s16.", "dt0s01."}, body: isDottedByte, min: 60},
	{kind: "posthog-key", prefixes: []string{"phx_", "phs_"}, body: isWord, min: 32, bounded: true},
	{kind: "vault-token", prefixes: []string{"hvs.", "hvb.", "hvr."}, body: isTokenByte, min: 20, bounded: true},
	{kind: "openshift-token", prefixes: []string{"sha256~"}, body: isTokenByte, min: 43, max: 43, bounded: true},
	{kind: "scalingo-token", prefixes: []string{"tk-us-"}, body: isTokenByte, min: 40, max: 56, bounded: true},
	{kind: "octopus-key", prefixes: []string{"API-"}, body: isUpperDigit, min: 25, max: 32, bounded: true},
	{kind: "harness-token", prefixes: []string{"pat.", "sat."}, body: isDottedByte, min: 68, max: 68, bounded: true},
	{kind: "infracost-key", prefixes: []string{"ico-"}, body: isAlnum, min: 32, max: 32, bounded: true},
	{kind: "settlemint-token", prefixes: []string{"sm_pat_", "sm_aat_", "sm_sat_"}, body: isAlnum, min: 16, max: 16, bounded: true},
	{kind: "defined-key", prefixes: []string{"dnkey-"}, body: isTokenByte, min: 70, bounded: true},
	{kind: "authress-key", prefixes: []string{"scauth_", "authress_"}, body: isDottedByte, min: 60, bounded: true},
	{kind: "intra42-secret", prefixes: []string{"s-s4t2ud-", "s-s4t2af-"}, body: isHex, min: 64, max: 64, bounded: true},
	{kind: "linear-key", prefixes: []string{"lin_api_", "lin_oauth_"}, body: isAlnum, min: 30},
	{kind: "notion-token", prefixes: []string{"ntn_"}, body: isAlnum, min: 40, bounded: true},
	{kind: "notion-token", prefixes: []string{"secret_"}, body: isAlnum, min: 43, max: 43, bounded: true},
	{kind: "figma-token", prefixes: []string{"figd_", "figo_", "figoh_", "figu_"}, body: isTokenByte, min: 30},
	{kind: "postman-key", prefixes: []string{"PMAK-", "PMAT-"}, body: isTokenByte, min: 24},
	{kind: "hubspot-token", prefixes: []string{"pat-na1-", "pat-eu1-", "pat-na2-", "pat-ap1-"}, body: isHexDash, min: 36},
	{kind: "typeform-token", prefixes: []string{"tfp_"}, body: isTokenByte, min: 40, bounded: true},
	{kind: "contentful-token", prefixes: []string{"CFPAT-"}, body: isTokenByte, min: 30},
	{kind: "mapbox-token", prefixes: []string{"sk.eyJ"}, body: isDottedByte, min: 40, bounded: true},
	{kind: "readme-key", prefixes: []string{"rdme_"}, body: isAlnum, min: 40},
	{kind: "sonar-token", prefixes: []string{"squ_", "sqp_", "sqa_"}, body: isLowerHex, min: 40, bounded: true},
	{kind: "sourcegraph-token", prefixes: []string{"sgp_"}, body: isWord, min: 40, bounded: true},
	{kind: "buildkite-token", prefixes: []string{"bkua_", "bkct_", "bkpt_"}, body: isAlnum, min: 30, bounded: true},
	{kind: "circleci-token", prefixes: []string{"CCIPAT_", "CCIPRJ_"}, body: isWord, min: 30},
	{kind: "prefect-key", prefixes: []string{"pnu_", "pnb_"}, body: isAlnum, min: 30, bounded: true},
	{kind: "launchdarkly-key", prefixes: []string{"sdk-", "api-"}, body: isHexDash, min: 36, max: 36, bounded: true},
	{kind: "1password-token", prefixes: []string{"ops_eyJ"}, body: isBase64Any, min: 60},
	{kind: "1password-key", prefixes: []string{"A3-"}, body: func(c byte) bool { return isUpperDigit(c) || c == '-' }, min: 35, max: 38, bounded: true},
	{kind: "jwt", prefixes: []string{"ZXlK"}, body: isBase64Any, min: 60, bounded: true}, // once more in base64
	{kind: "tailscale-key", prefixes: []string{"tskey-"}, body: isTokenByte, min: 16},
	{kind: "age-key", prefixes: []string{"AGE-SECRET-KEY-1", "age-secret-key-1", "AGE-SECRET-KEY-PQ-1"}, body: isAlnum, min: 40},
	{kind: "wallet-key", prefixes: []string{"xprv", "yprv", "zprv", "tprv"}, body: isAlnum, min: 90, bounded: true},
	{kind: "nostr-key", prefixes: []string{"nsec1"}, body: isAlnum, min: 50, bounded: true},
	{kind: "password-hash", prefixes: []string{"$2y$", "$2a$", "$2b$"}, body: isCryptByte, min: 50},
	{kind: "password-hash", prefixes: []string{"$apr1$", "$1$", "$5$", "$6$", "$7$", "$y$", "$argon2", "$scrypt$", "{SHA}", "{SSHA}", "pbkdf2_sha256$", "pbkdf2:sha256:"}, body: isCryptByte, min: 20},
}

// shapes are the secrets known by what stands around them, or by their build. It is a function, so that the lists in it are
// made when they are needed.
func shapes() []rule {
	return []rule{
		{kind: "private-key", triggers: []string{"-----begin", "private-lines:"}, find: findPrivateKey, whole: true},
		{kind: "private-key", triggers: []string{"-----end"}, find: findPrivateKeyEnd},
		{kind: "jwt", triggers: []string{"eyj"}, find: findJWT, whole: true},
		{kind: "openai-key", triggers: []string{"sk-"}, find: findPlainSK},
		{kind: "elevenlabs-key", triggers: []string{"sk_"}, find: findPlainSK},
		{kind: "aws-secret", triggers: []string{"akia", "asia"}, find: findSecretNearKeyID},
		{kind: "azure-client-secret", triggers: []string{"0q~", "1q~", "2q~", "3q~", "4q~", "5q~", "6q~", "7q~", "8q~", "9q~"}, find: findAzureClientSecret},
		{kind: "azure-sas", triggers: []string{"sig="}, find: findSignature},
		{kind: "signed-url", triggers: []string{"signature="}, find: findSignature},
		{kind: "telegram-token", triggers: []string{":aa", "%3aaa"}, find: findTelegram},
		{kind: "fcm-key", triggers: []string{":apa91b"}, find: findFCM},
		{kind: "discord-token", triggers: discordBegins(), find: findDiscord, whole: true},
		{kind: "asana-token", triggers: eachOf([]string{"1/", "2/"}, "0123456789"), find: findAsana, whole: true},
		{kind: "twilio-key", triggers: []string{"sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske", "skf"}, find: findTwilio},
		{kind: "mailchimp-key", triggers: []string{"-us"}, find: findMailchimp},
		{kind: "mailgun-key", triggers: []string{"mailgun"}, find: findMailgun},
		{kind: "new-relic-key", triggers: []string{"nral"}, find: findNewRelicLicense},
		{kind: "terraform-token", triggers: []string{".atlasv1."}, find: findTerraform},
		{kind: "vault-token", triggers: eachOf([]string{"s."}, "abcdefghijklmnopqrstuvwxyz0123456789"), find: findVaultToken, whole: true},
		{kind: "maxmind-key", triggers: []string{"_mmk"}, find: findMaxMind},
		{kind: "airtable-token", triggers: []string{"pat"}, find: findAirtable},
		{kind: "seed-phrase", triggers: []string{"seed phrase", "seed_phrase", "seedphrase", "mnemonic", "recovery phrase", "seed words"}, find: findSeedPhrase},
		{kind: "sentry-dsn", triggers: []string{"://"}, find: findSentryDSN},
		{kind: "url-password", triggers: []string{"://", ":%2f%2f", "%3a%2f%2f", `:\/\/`}, find: findURLPassword},
		{kind: "pgpass", triggers: []string{":5432:", ":5433:", ":6432:"}, find: findPgpass},
		{kind: "basic-auth", triggers: []string{"basic", `auth"`, "_auth"}, find: findBasicAuth},
		{kind: "basic-auth", triggers: []string{"basicauth(", "auth=("}, find: findBasicAuthCall},
		{kind: "bearer-token", triggers: []string{"bearer"}, find: findBearer},
		{kind: "auth-header", triggers: []string{"authorization"}, find: findAuthorization},
		{kind: "cookie", triggers: []string{"cookie"}, find: findCookie},
		{kind: "cookie", triggers: []string{"sessionid=", "sessid=", "connect.sid=", "session=", "sessionid%3d"}, find: findSessionCookie},
		{kind: "password", triggers: []string{"curl", "wget", "httpie", "sshpass", "mysql", "mariadb", "redis-cli", "login", "mongo", "ldap", "openssl", "htpasswd", "smbclient", "-passin", "-passout", "7z ", "zip "}, find: findCommandPassword},
		{kind: "password", triggers: []string{"--password-stdin", "chpasswd", "sudo -", "passwd --stdin", "--passphrase-fd", "--with-token", "vault login"}, find: findPiped},
		{kind: "password", triggers: []string{"pass", "pwd", "_pw", " pw"}, find: findPassword},
		{kind: "secret", triggers: []string{"secret", "token", "apikey", "api_key", "api-key", "api key", "access_key", "accesskey", "access-key", "access key", "private_key", "privatekey", "private-key", "auth_key", "authkey", "account_key", "accountkey", "encryption_key", "encryptionkey", "signing_key", "signingkey", "master_key", "masterkey", "client-key-data", "credential"}, find: findAssignedSecret},
		{kind: "secret", triggers: []string{"_key", "-key", "&key", "?key", "_hmac", "_salt", "_pat", "_jwt"}, find: findAssignedKey},
		{kind: "password", triggers: []string{"passwor", "passphrase", "passwd", "passcode", "kennwort", "mot de passe", "contrase", "senha", "парол", "Парол", "ПАРОЛ", "密码", "密碼", "パスワード", "비밀번호", "hasło", "wachtwoord", "lösenord", "parola", "şifre", "Şifre", "passord", "heslo", " pw", " pwd", " pass"}, find: findSpokenPassword},
		{kind: "secret", triggers: []string{"token", "api key", "secret", "access key", "auth key", "private key", "api-key", " key", "schlüssel", "clave", "chave", "sleutel", "ключ"}, find: findSpokenSecret},
		{kind: "code", triggers: []string{"pin", "code", "otp", "totp", "passcode"}, find: findSpokenCode},
		{kind: "password", triggers: []string{"log in", "login", "sign in", "log on", "creds", "credentials"}, find: findSpokenLogin},
	}
}

// eachOf joins each beginning to each letter.
func eachOf(begins []string, letters string) (all []string) {
	for _, b := range begins {
		for i := range len(letters) {
			all = append(all, b+letters[i:i+1])
		}
	}
	return all
}

// discordBegins are the beginnings, in lower case, of a number of Discord in base64: of three digits each the first gives m, n or
// o, the second one of four letters, the third one of ten.
func discordBegins() []string {
	return eachOf(eachOf([]string{"m", "n", "o"}, "dtjz"), "aeimquycgk")
}

// allRules returns the rules, the most telling first.
func allRules() []rule {
	rest := shapes()
	rules := make([]rule, 0, len(tokens)+len(rest))
	for i := range tokens {
		t := &tokens[i]
		triggers := make([]string, len(t.prefixes))
		for j, p := range t.prefixes {
			triggers[j] = strings.ToLower(p)
		}
		rules = append(rules, rule{kind: t.kind, triggers: triggers, find: t.find, whole: true})
	}
	return append(rules, rest...)
}

// find reads the token at text[at:], whose prefix has n bytes.
func (t *token) find(text string, at, n int) span {
	if t.bounded && !wordBegins(text, at) || !slices.Contains(t.prefixes, text[at:at+n]) {
		return span{}
	}
	limit := len(text)
	if t.max > 0 {
		limit = t.max + 1
	}
	body := run(text[at+n:], t.body, limit)
	secret := text[at+n : at+n+body]
	// A sentence may end after a token; its full stop is not part of it.
	secret = strings.TrimRight(secret, ".-")
	// Words that mark a stand-in elsewhere do not count here: the shape is unmistakable, and the documented examples,
	// AKIA…EXAMPLE, are what people try a redaction with.
	return unless(len(secret) < t.min || t.max > 0 && len(secret) > t.max || few(secret) ||
		t.drawn && (!mixed(secret) || !random(secret)), at, at+n+len(secret))
}
