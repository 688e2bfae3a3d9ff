package scrub

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// The corpus plants secrets in text as agents meet it. The bodies of the secrets are drawn at test
// time from a seeded generator, so nothing that looks like a credential is committed; the carriers
// around them are committed. "{}" marks the secret.

type generator struct{ *rand.Rand }

const (
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	uppers   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
	alnum    = lowers + uppers + digits
	lowhex   = digits + "abcdef"
	urlSafe  = alnum + "_-"
	base64ch = alnum + "+/"
)

// from draws between low and high letters of the set; the first and the last are alphanumeric, as
// in real tokens.
func (g generator) from(set string, low, high int) string {
	n := low + g.IntN(high-low+1)
	b := make([]byte, n)
	for i := range b {
		b[i] = set[g.IntN(len(set))]
	}
	for _, i := range []int{0, n - 1} {
		for !isAlnum(b[i]) {
			b[i] = set[g.IntN(len(set))]
		}
	}
	return string(b)
}

func (g generator) uuid() string {
	h := g.from(lowhex, 32, 32)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func (g generator) pick(of ...string) string { return of[g.IntN(len(of))] }

// password draws what people choose: a word, digits, a sign, in some order.
func (g generator) password() string {
	words := []string{"hunter", "tiger", "Sommer", "winter", "dragon", "Zebra", "monkey", "Berlin", "coffee", "rocket"}
	word := words[g.IntN(len(words))]
	return g.pick(
		word+g.from(digits, 2, 4)+g.pick("!", "#", "?!", "$$", "*"),
		g.from(alnum, 5, 7)+"#"+g.from(digits, 1, 2)+g.from(lowers, 2, 3),
		strings.ReplaceAll(word, "e", "3")+"-"+g.from(lowers, 4, 6)+g.from(digits, 2, 2),
		word+"@"+g.from(digits, 4, 4)+g.from(lowers, 1, 2),
		g.from(alnum, 12, 12)+g.from(digits, 2, 2),
	)
}

func (g generator) pem(kind, eol string) string {
	lines := []string{"-----BEGIN " + kind + "-----"}
	for range 6 + g.IntN(20) {
		lines = append(lines, g.from(base64ch, 64, 64))
	}
	lines = append(lines, g.from(base64ch, 20, 50)+"==", "-----END "+kind+"-----")
	return strings.Join(lines, eol)
}

func (g generator) jwt() string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." +
		enc.EncodeToString(fmt.Appendf(nil, `{"sub":"%s","exp":%d}`, g.from(lowers, 5, 20), g.Int32())) + "." + g.from(urlSafe, 43, 43)
}

// anywhere are carriers for tokens that announce themselves; half of them give no hint that a
// secret follows.
var anywhere = []string{
	"curl -sS -H 'X-Thing: {}' https://api.internal/v2/items | jq .",
	"export SERVICE_THING={}\nmake deploy",
	`{"name":"deploy","env":{"THING":"{}","REGION":"eu-west-1"},"retries":3}`,
	"please use {}, it works for the staging account.",
	"config:\n  region: eu\n  thing: {}\n  debug: false\n",
	"	client := newClient(\"{}\", 30*time.Second)\n",
	"client = Client('{}')  # TODO move away",
	"const c = new Client({ thing: `{}` });",
	"panic: request failed: 401 for {} (attempt 3)\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:31 +0x1d",
	"https://api.internal/cb?state=1&t={}&x=2",
	"GET /v1/x?thing%3D{}%26page=2 HTTP/1.1",
	"| staging | {} | expires never |",
	"error: invalid value \"{}\"\\n    at Client.send (client.ts:88)\\n",
	"{\\\"thing\\\":\\\"{}\\\"}",
	"THING='{}' \\\n  npm run release",
	"I pasted it here:\n\n```\n{}\n```\n",
	"git remote add up https://x:{}@git.internal/a/b.git",
	"\x1b[32m{}\x1b[0m copied to clipboard",
	"+      - value: {}\n-      - value: old\n",
	"<entry key=\"thing\">{}</entry>",
	"ssh host 'echo {} > /tmp/t' && rm -f x",
	"(see {})",
	"thing={};other=1",
	"docker run -e THING={} -p 80:80 app:latest",
}

// named are carriers in which only the name tells that the value is a secret. "NAME" is replaced by
// the name.
var named = []string{
	"NAME={}",
	"export NAME=\"{}\"\n./run.sh",
	"FOO=1\nNAME={}\nBAR=2\n",
	"env:\n  - name: NAME\n    value: \"{}\"\n",
	"NAME: {}\n",
	"{\"NAME\": \"{}\", \"port\": 8080}",
	"os.environ[\"NAME\"] = '{}'",
	"docker run -e NAME={} app",
	"fly secrets set NAME={} OTHER=1",
	"ENV NAME {}\nENV NAME={}\n",
	"$env:NAME = '{}'",
	"{\\\"NAME\\\":\\\"{}\\\"}",
	"[{\"name\":\"NAME\",\"value\":\"{}\"}]",
	"kubectl create secret generic x --from-literal=NAME={}",
	"process.env.NAME = \"{}\";",
	"t.Setenv(\"NAME\", \"{}\")",
}

// plant is one kind of secret with what may stand around it.
type plant struct {
	kind     string
	draw     func(g generator) string
	carriers []string
	names    []string // names for the carriers in named
	random   int      // how many carriers to draw from anywhere, or from named when there are names
}

func prefixed(set string, low, high int, prefixes ...string) func(generator) string {
	return func(g generator) string { return g.pick(prefixes...) + g.from(set, low, high) }
}

func bare(set string, low, high int) func(generator) string { return prefixed(set, low, high, "") }

func person(g generator) string { return g.password() }

// plants is the corpus.
var plants = []plant{
	{kind: "aws key id", draw: prefixed(uppers+"234567", 16, 16, "AKIA", "ASIA"), random: 5},
	{kind: "aws secret", draw: bare(base64ch, 40, 40), names: []string{"AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "AwsSecretKey"}, random: 6,
		carriers: []string{
			"[default]\naws_access_key_id = AKIAQWERTYUIOPASDFGH\naws_secret_access_key = {}\n",
			"aws configure set aws_secret_access_key {}",
			"the pair is AKIAQWERTYUIOPASDFGH / {} please rotate",
			"provider \"aws\" {\n  secret_key = \"{}\"\n}",
			"\"SecretAccessKey\": \"{}\",\n\"Expiration\": \"2026-01-01T00:00:00Z\"",
		}},
	{kind: "1password key", draw: func(g generator) string {
		up := uppers + digits
		return strings.Join([]string{"A3", g.from(up, 6, 6), g.from(up, 6, 6), g.from(up, 5, 5), g.from(up, 5, 5), g.from(up, 5, 5), g.from(up, 5, 5)}, "-")
	}, random: 4},
	{kind: "alibaba key id", draw: prefixed(alnum, 20, 20, "LTAI"), random: 4},
	{kind: "octopus key", draw: prefixed(uppers+digits, 26, 26, "API-"), random: 4},
	{kind: "twilio upper case", draw: prefixed(digits+"ABCDEF", 32, 32, "SK"), random: 3},
	{kind: "vault old token", draw: prefixed(alnum, 24, 24, "s."), carriers: []string{
		"vault token lookup {}", "export VAULT_TOKEN={}", "curl -H 'X-Vault-Token: {}' https://vault.internal/v1/sys", "vault login {}",
	}},
	{kind: "facebook token", draw: prefixed(alnum, 120, 180, "EAAC", "EAAM", "EAAG"), random: 3},
	// These passed without a word that names them until somebody tried.
	{kind: "bare vault token", draw: prefixed(alnum, 24, 24, "s."), random: 5},
	{kind: "facebook app token", draw: prefixed(alnum, 40, 60, "EAACEdEose0cBA"), random: 5},
	{kind: "adafruit key", draw: prefixed(alnum, 28, 28, "aio_"), random: 5},
	{kind: "neon key", draw: prefixed(lowers+digits, 64, 64, "napi_"), random: 5},
	{kind: "firecrawl key", draw: prefixed(lowhex, 32, 32, "fc-"), random: 5},
	{kind: "together key", draw: prefixed(alnum, 43, 43, "tgp_v1_"), random: 5},
	{kind: "vercel token", draw: prefixed(alnum, 56, 56, "vcp_"), random: 5},
	{kind: "bare discord token", draw: func(g generator) string {
		id := g.from("123456789", 1, 1) + g.from(digits, 17, 18)
		return base64.RawStdEncoding.EncodeToString([]byte(id)) + "." + g.from(urlSafe, 6, 6) + "." + g.from(urlSafe, 38, 38)
	}, random: 5},
	{kind: "asana token", draw: func(g generator) string { return "1/" + g.from(digits, 16, 16) + ":" + g.from(lowhex, 32, 32) }, random: 5},
	{kind: "ngrok token", draw: func(g generator) string {
		return g.pick("1", "2", "3") + g.from(alnum, 26, 26) + "_" + g.from(alnum, 20, 22)
	}, random: 5},
	{kind: "statsig key", draw: prefixed(alnum, 43, 43, "secret-", "client-"), random: 5},
	{kind: "key_ key", draw: prefixed(lowhex, 32, 32, "key_"), random: 5},
	{kind: "nvidia key", draw: prefixed(urlSafe, 64, 64, "nvapi-"), random: 4},
	{kind: "stripe prod key", draw: prefixed(alnum, 24, 99, "rk_prod_", "sk_prod_"), random: 3},
	{kind: "openshift token", draw: prefixed(urlSafe, 43, 43, "sha256~"), random: 4},
	{kind: "gitlab feature flag", draw: prefixed(urlSafe, 20, 20, "glffct-"), random: 3},
	{kind: "settlemint token", draw: prefixed(alnum, 16, 16, "sm_pat_", "sm_aat_", "sm_sat_"), random: 3},
	{kind: "adobe secret", draw: prefixed(alnum, 32, 32, "p8e-"), random: 3},
	{kind: "scalingo token", draw: prefixed(urlSafe, 48, 48, "tk-us-"), random: 3},
	{kind: "infracost key", draw: prefixed(alnum, 32, 32, "ico-"), random: 3},
	{kind: "clojars token", draw: prefixed(lowhex, 60, 60, "CLOJARS_"), random: 3},
	{kind: "harness token", draw: func(g generator) string {
		return g.pick("pat.", "sat.") + g.from(alnum, 22, 22) + "." + g.from(alnum, 24, 24) + "." + g.from(alnum, 20, 20)
	}, random: 3},
	{kind: "maxmind key", draw: func(g generator) string { return g.from(alnum, 6, 6) + "_" + g.from(alnum, 29, 29) + "_mmk" }, random: 3},
	{kind: "jwt in base64", draw: func(g generator) string { return base64.StdEncoding.EncodeToString([]byte(g.jwt())) }, random: 3},
	{kind: "piped", draw: person, carriers: []string{
		"echo '{}' | docker login -u ci --password-stdin registry.internal",
		"echo {} | docker login --username ci --password-stdin",
		"printf '%s' \"{}\" | docker login --password-stdin",
		"docker login -u ci --password-stdin <<< '{}'",
		"echo -n \"{}\" | sudo -S apt-get update",
		"cd /srv && echo {} | sudo -kS true",
		"sudo -S ls <<<{}",
		"echo 'root:{}' | chpasswd",
		"echo \"app:{}\" | sudo chpasswd -e",
		"echo {} | passwd --stdin deploy",
		"printf '%s\\n' {} | gpg --batch --passphrase-fd 0 -d x.gpg",
		"echo {} | vault login -",
		"echo {} | gh auth login --with-token",
	}},
	{kind: "gcp api key", draw: prefixed(urlSafe, 35, 35, "AIza"), random: 5, carriers: []string{"https://maps.googleapis.com/maps/api/js?key={}&callback=init"}},
	{kind: "google oauth", draw: prefixed(urlSafe, 60, 120, "ya29.a0", "ya29.c.c0"), random: 4},
	{kind: "google client secret", draw: prefixed(urlSafe, 28, 28, "GOCSPX-"), random: 4},
	{kind: "gcp service account", draw: func(g generator) string { return g.pem("PRIVATE KEY", `\n`) }, carriers: []string{
		"{\"type\": \"service_account\", \"private_key_id\": \"0\", \"private_key\": \"{}\\n\", \"client_email\": \"a@b.iam\"}",
		"GOOGLE_CREDENTIALS='{\"private_key\":\"{}\\n\"}'",
	}},
	{kind: "azure storage", draw: func(g generator) string { return g.from(base64ch, 86, 86) + "==" }, carriers: []string{
		"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net",
		"AZURE_STORAGE_CONNECTION_STRING=\"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}\"",
		"az storage blob list --account-name acme --account-key {}",
		"AZURE_STORAGE_KEY={}",
	}},
	{kind: "azure service bus", draw: func(g generator) string { return g.from(base64ch, 43, 43) + "=" }, carriers: []string{
		"Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={}",
		"\"ServiceBus\": \"Endpoint=sb://a/;SharedAccessKeyName=R;SharedAccessKey={};EntityPath=q\"",
	}},
	{kind: "azure sas", draw: func(g generator) string { return url.QueryEscape(g.from(base64ch, 43, 43) + "=") }, carriers: []string{
		"https://acme.blob.core.windows.net/c/f.txt?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig={}",
		"azcopy copy 'https://a.blob.core.windows.net/x?sig={}&sp=rw' .",
	}},
	{kind: "azure client secret", draw: func(g generator) string { return g.from(alnum, 3, 3) + "8Q~" + g.from(urlSafe, 34, 34) }, random: 4,
		carriers: []string{"az login --service-principal -u 1b2c -p {} --tenant acme"}},
	{kind: "github token", draw: prefixed(alnum, 36, 36, "ghp_", "gho_", "ghs_", "ghu_", "ghr_"), random: 7},
	{kind: "github fine-grained", draw: func(g generator) string { return "github_pat_" + g.from(alnum, 22, 22) + "_" + g.from(alnum, 59, 59) }, random: 5},
	{kind: "gitlab token", draw: prefixed(urlSafe, 20, 26, "glpat-", "glrt-", "gldt-", "glptt-"), random: 6},
	{kind: "bitbucket app password", draw: prefixed(alnum, 32, 32, "ATBB"), random: 4},
	{kind: "atlassian token", draw: func(g generator) string {
		return "ATATT3xFfGF0" + g.from(urlSafe, 160, 170) + "=" + g.from(uppers+digits, 8, 8)
	}, random: 4},
	{kind: "slack token", draw: func(g generator) string {
		return g.pick("xoxb-", "xoxp-", "xoxs-") + g.from(digits, 10, 12) + "-" + g.from(digits, 10, 13) + "-" + g.from(alnum, 24, 32)
	}, random: 6},
	{kind: "slack app token", draw: func(g generator) string {
		return "xapp-1-A" + g.from(uppers+digits, 10, 10) + "-" + g.from(digits, 13, 13) + "-" + g.from(lowhex, 64, 64)
	}, random: 3},
	{kind: "slack webhook", draw: func(g generator) string {
		return "T" + g.from(uppers+digits, 8, 10) + "/B" + g.from(uppers+digits, 8, 10) + "/" + g.from(alnum, 24, 24)
	}, carriers: []string{
		"curl -X POST -d '{\"text\":\"hi\"}' https://hooks.slack.com/services/{}",
		"SLACK_URL=https://hooks.slack.com/services/{}",
		"webhook: \"https://hooks.slack.com/services/{}\"",
	}},
	{kind: "discord bot", draw: func(g generator) string {
		return g.pick("M", "N", "O") + g.from(alnum, 23, 25) + "." + g.from(urlSafe, 6, 6) + "." + g.from(urlSafe, 27, 38)
	}, names: []string{"DISCORD_TOKEN", "DISCORD_BOT_TOKEN"}, random: 4, carriers: []string{
		"discord.login('{}');", "Authorization: Bot {}", "bot.run(\"{}\")  # discord",
		"const discord = require('discord.js');\nclient.login(\"{}\");",
	}},
	{kind: "discord webhook", draw: func(g generator) string { return g.from(digits, 18, 19) + "/" + g.from(urlSafe, 68, 68) }, carriers: []string{
		"https://discord.com/api/webhooks/{}", "curl https://discordapp.com/api/webhooks/{}?wait=true",
	}},
	{kind: "telegram bot", draw: func(g generator) string { return g.from("123456789", 9, 10) + ":AA" + g.from(urlSafe, 33, 33) }, random: 4,
		carriers: []string{"curl https://api.telegram.org/bot{}/getMe", "TELEGRAM_TOKEN={}"}},
	{kind: "stripe key", draw: prefixed(alnum, 24, 99, "sk_live_", "sk_test_", "rk_live_"), random: 6},
	{kind: "stripe webhook", draw: prefixed(alnum, 32, 38, "whsec_"), random: 3},
	{kind: "twilio api key", draw: prefixed(lowhex, 32, 32, "SK"), random: 4},
	{kind: "twilio auth token", draw: bare(lowhex, 32, 32), names: []string{"TWILIO_AUTH_TOKEN", "twilio_auth_token", "TwilioAuthToken"}, random: 5,
		carriers: []string{"curl -X POST https://api.twilio.com/x -u AC0123456789abcdef0123456789abcdef:{} -d From=+1"}},
	{kind: "sendgrid key", draw: func(g generator) string { return "SG." + g.from(urlSafe, 22, 22) + "." + g.from(urlSafe, 43, 43) }, random: 5},
	{kind: "mailgun key", draw: prefixed(lowhex, 32, 32, "key-"), random: 4},
	{kind: "mailgun new key", draw: func(g generator) string {
		return g.from(lowhex, 32, 32) + "-" + g.from(lowhex, 8, 8) + "-" + g.from(lowhex, 8, 8)
	}, names: []string{"MAILGUN_API_KEY"}, random: 3, carriers: []string{"curl -s --user 'api:{}' https://api.mailgun.net/v3/d/messages"}},
	{kind: "mailchimp key", draw: func(g generator) string { return g.from(lowhex, 32, 32) + "-us" + g.from("123456789", 1, 2) }, random: 4},
	{kind: "openai key", draw: prefixed(urlSafe, 40, 150, "sk-proj-", "sk-svcacct-"), random: 6},
	{kind: "openai old key", draw: func(g generator) string { return "sk-" + g.from(alnum, 20, 20) + "T3BlbkFJ" + g.from(alnum, 20, 20) }, random: 5},
	{kind: "deepseek key", draw: prefixed(lowhex, 32, 32, "sk-"), random: 4},
	{kind: "anthropic key", draw: prefixed(urlSafe, 93, 95, "sk-ant-api03-", "sk-ant-admin01-"), random: 6},
	{kind: "hugging face", draw: prefixed(alnum, 34, 37, "hf_"), random: 5},
	{kind: "replicate", draw: prefixed(alnum, 37, 37, "r8_"), random: 3},
	{kind: "groq", draw: prefixed(alnum, 52, 52, "gsk_"), random: 3},
	{kind: "npm token", draw: prefixed(alnum, 36, 36, "npm_"), random: 4, carriers: []string{"//npm.acme.dev/:_authToken={}"}},
	{kind: "npm old token", draw: func(g generator) string { return g.uuid() }, carriers: []string{
		"//npm.acme.dev/:_authToken={}", "npm config set //npm.acme.dev/:_authToken {}",
	}},
	{kind: "pypi token", draw: prefixed(urlSafe, 140, 170, "pypi-AgEIcHlwaS5vcmc"), random: 4, carriers: []string{"[pypi]\nusername = __token__\npassword = {}\n"}},
	{kind: "rubygems", draw: prefixed(lowhex, 48, 48, "rubygems_"), random: 3, carriers: []string{":rubygems_api_key: {}"}},
	{kind: "docker pat", draw: prefixed(urlSafe, 27, 27, "dckr_pat_"), random: 4, carriers: []string{"docker login -u acme -p {}"}},
	{kind: "docker config", draw: func(g generator) string { return base64.StdEncoding.EncodeToString([]byte("acme:" + g.password())) }, carriers: []string{
		"{\"auths\":{\"https://images.acme.dev/v1/\":{\"auth\":\"{}\"}}}", "{\n\t\"auths\": {\n\t\t\"ghcr.io\": {\n\t\t\t\"auth\": \"{}\"\n\t\t}\n\t}\n}",
		"//npm.acme.dev/:_auth={}",
	}},
	{kind: "digitalocean", draw: prefixed(lowhex, 64, 64, "dop_v1_", "doo_v1_"), random: 4},
	{kind: "heroku", draw: func(g generator) string { return g.uuid() }, names: []string{"HEROKU_API_KEY", "heroku_api_key"}, random: 4},
	{kind: "heroku new", draw: prefixed(urlSafe, 58, 58, "HRKU-AA"), random: 2},
	{kind: "cloudflare", draw: bare(urlSafe, 40, 40), names: []string{"CLOUDFLARE_API_TOKEN", "CF_API_TOKEN", "cloudflare_api_key"}, random: 5,
		carriers: []string{"curl -H \"Authorization: Bearer {}\" https://api.cloudflare.com/client/v4/zones", "X-Auth-Key: {}"}},
	{kind: "fastly", draw: bare(urlSafe, 32, 32), names: []string{"FASTLY_API_TOKEN", "FASTLY_API_KEY"}, random: 4, carriers: []string{"curl -H 'Fastly-Key: {}' https://api.fastly.com/service"}},
	{kind: "shopify", draw: prefixed(lowhex, 32, 32, "shpat_", "shpca_", "shpss_"), random: 4},
	{kind: "square", draw: prefixed(urlSafe, 22, 43, "sq0atp-", "sq0csp-"), random: 3},
	{kind: "square token", draw: prefixed(urlSafe, 60, 60, "EAAA"), random: 2},
	{kind: "paypal", draw: bare(urlSafe, 80, 80), names: []string{"PAYPAL_CLIENT_SECRET", "paypal_secret"}, random: 4},
	{kind: "braintree", draw: func(g generator) string {
		return "access_token$production$" + g.from(lowers+digits, 16, 16) + "$" + g.from(lowhex, 32, 32)
	}, random: 3},
	{kind: "databricks", draw: prefixed(lowhex, 32, 32, "dapi"), random: 4},
	{kind: "datadog", draw: bare(lowhex, 32, 40), names: []string{"DD_API_KEY", "DATADOG_APP_KEY", "datadog_api_key"}, random: 4,
		carriers: []string{"curl -H \"DD-API-KEY: {}\" -H 'Accept: */*' https://api.datadoghq.eu/api/v1/validate", "our Datadog API key is {} by the way"}},
	{kind: "new relic", draw: prefixed(uppers+digits, 27, 27, "NRAK-"), random: 3},
	{kind: "new relic license", draw: func(g generator) string { return g.from(lowhex, 36, 36) + "NRAL" }, random: 3},
	{kind: "sentry dsn", draw: bare(lowhex, 32, 32), carriers: []string{
		"SENTRY_DSN=https://{}@o123456.ingest.sentry.io/7654321", "Sentry.init({ dsn: 'https://{}@o1.ingest.de.sentry.io/2' });",
		"sentry_sdk.init(\n    dsn=\"https://{}@sentry.acme.dev/4\",\n)",
	}},
	{kind: "sentry token", draw: prefixed(alnum, 64, 64, "sntryu_"), random: 3},
	{kind: "grafana", draw: func(g generator) string { return "glsa_" + g.from(alnum, 32, 32) + "_" + g.from(lowhex, 8, 8) }, random: 4},
	{kind: "vault", draw: prefixed(urlSafe, 24, 95, "hvs.", "hvb."), random: 5},
	{kind: "terraform cloud", draw: func(g generator) string { return g.from(alnum, 14, 14) + ".atlasv1." + g.from(urlSafe, 60, 70) }, random: 4},
	{kind: "linear", draw: prefixed(alnum, 40, 40, "lin_api_"), random: 3},
	{kind: "notion", draw: prefixed(alnum, 43, 46, "ntn_"), random: 3},
	{kind: "notion old", draw: prefixed(alnum, 43, 43, "secret_"), random: 2},
	{kind: "figma", draw: prefixed(urlSafe, 40, 40, "figd_"), random: 3},
	{kind: "postman", draw: func(g generator) string { return "PMAK-" + g.from(lowhex, 24, 24) + "-" + g.from(lowhex, 34, 34) }, random: 3},
	{kind: "airtable", draw: func(g generator) string { return "pat" + g.from(alnum, 14, 14) + "." + g.from(lowhex, 64, 64) }, random: 3},
	{kind: "hubspot", draw: func(g generator) string { return "pat-na1-" + g.uuid() }, random: 2},
	{kind: "tailscale", draw: func(g generator) string { return "tskey-auth-" + g.from(alnum, 12, 17) + "-" + g.from(alnum, 32, 32) }, random: 3},
	{kind: "age key", draw: prefixed("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, 58, "AGE-SECRET-KEY-1"), random: 3},
	{kind: "pem", draw: func(g generator) string {
		return g.pem(g.pick("RSA PRIVATE KEY", "EC PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"), "\n")
	}, carriers: []string{
		"cat > ~/.ssh/id_ed25519 <<'EOF'\n{}\nEOF\nchmod 600 ~/.ssh/id_ed25519", "Here is the key:\n{}\nthanks", "key: |\n{}\n",
		"const key = `{}`;", "metadata: {}",
	}},
	{kind: "pem wrapped", draw: func(g generator) string { return g.pem("RSA PRIVATE KEY", "\r\n    ") }, carriers: []string{"tls:\r\n  key: |-\r\n    {}\r\n", "{}"}},
	{kind: "pem cut off", draw: func(g generator) string {
		s := g.pem("EC PRIVATE KEY", "\n")
		return s[:strings.Index(s, "-----END")]
	}, carriers: []string{"head -3 key.pem\n{}"}},
	{kind: "pgp", draw: func(g generator) string {
		s := g.pem("PGP PRIVATE KEY BLOCK", "\n")
		return strings.Replace(s, "-----\n", "-----\nVersion: GnuPG v2\n\n", 1)
	}, carriers: []string{"gpg --import <<EOF\n{}\nEOF", "{}"}},
	{kind: "jwt", draw: func(g generator) string { return g.jwt() }, random: 5, carriers: []string{
		"users:\n- name: admin\n  user:\n    token: {}\n", "Authorization: Bearer {}", "Set-Cookie: auth={}; HttpOnly",
	}},
	{kind: "database url", draw: person, carriers: []string{
		"DATABASE_URL=postgres://app:{}@db.internal:5432/app?sslmode=require", "mysql://root:{}@127.0.0.1/shop", "mongodb+srv://u:{}@cluster0.mongodb.net/test",
		"redis://:{}@cache:6379/0", "amqps://svc:{}@rabbit/vhost", "dsn := \"postgresql://u:{}@h/db\"", "jdbc: sqlserver://sa:{}@mssql:1433",
		"createdb failed: could not connect to postgres://u:{}@h", "{\"url\":\"postgres:\\/\\/u:{}@h\\/db\"}", "clickhouse://default:{}@ch:9000/d",
	}},
	{kind: "short database password", draw: func(generator) string { return "p4q" }, carriers: []string{"postgres://u:{}@h", "psql postgres://me:{}@localhost/x -c 'select 1'"}},
	{kind: "basic-auth url", draw: person, carriers: []string{
		"git clone https://deploy:{}@git.acme.dev/app.git", "wget http://admin:{}@10.0.0.4:8080/backup.tgz", "proxy=http://me:{}@proxy:3128",
		"ftp://anna:{}@files/x", "redirect=https%3A%2F%2Fme%3A{}%40host%2Fpath",
	}},
	{kind: "url token", draw: bare(alnum, 30, 40), carriers: []string{"git push https://{}@git.acme.dev/app.git main", "pip install --index-url https://{}@pypi.acme.dev/simple x"}},
	{kind: "bearer", draw: bare(urlSafe, 24, 60), carriers: []string{
		"curl -H \"Authorization: Bearer {}\" https://api.acme.dev/me", "headers = {'Authorization': f'Bearer {}'}", "\"authorization\": \"bearer {}\"",
		"req.Header.Set(\"Authorization\", \"Bearer {}\")", "curl \\\n  -H 'authorization: Bearer {}' \\\n  https://x", "Authorization: Token {}", "Proxy-Authorization: Bearer {}",
		"-H Authorization:\\ Bearer\\ {}",
	}},
	{kind: "basic header", draw: func(g generator) string { return base64.StdEncoding.EncodeToString([]byte("admin:" + g.password())) }, carriers: []string{
		"Authorization: Basic {}", "curl -H 'Authorization: Basic {}' https://x", "headers: { Authorization: 'Basic {}' }", "> authorization: basic {}\n> accept: */*",
	}},
	{kind: "cookie", draw: bare(alnum, 32, 64), carriers: []string{
		"Cookie: theme=dark; session={}; lang=de", "Set-Cookie: sid={}; Path=/; HttpOnly; Secure", "curl -b 'sessionid={}' https://app/x", "document.cookie = \"PHPSESSID={}\"",
		"curl --cookie \"connect.sid={}\" https://x", "\"cookie\": \"_ga=1; JSESSIONID={}\"", "-H 'cookie: auth_session={}'",
	}},
	{kind: "password assignment", draw: person, carriers: []string{
		"password = \"{}\"", "DB_PASSWORD={}", "db_password: {}\n", "\"password\": \"{}\"", "Password={};Server=db;", "User Id=sa;Pwd={};Database=x",
		"spring.datasource.password={}", "<password>{}</password>", "conn = connect(user='me', password='{}')", "PGPASSWORD={} psql -h db -U me",
		"MYSQL_PWD={} mysqldump shop", "const password: string = \"{}\";", "passwd: '{}',", "config[\"password\"] = \"{}\"", "set_password(\"{}\")",
		"password=>'{}'", "{\\\"password\\\": \\\"{}\\\"}", "user=me&password={}&grant_type=password", "admin_pass := \"{}\"", "ALTER USER me WITH PASSWORD '{}';",
		"CREATE USER 'a'@'%' IDENTIFIED BY PASSWORD '{}'", "<add key=\"DbPassword\" value=\"{}\" />", "| password | {} |", "passphrase: \"{}\"", "smtp_pass='{}'",
		"DB_PASS={}", "export WIFI_PASSPHRASE='{}'", "ansible_become_pass: {}\n", "password: >-\n  {}\n", "let pwd = '{}'",
	}},
	{kind: "password flag", draw: person, carriers: []string{
		"mycli --password {} --host db", "mycli --password={}", "mysql -u root -p{} shop", "sshpass -p '{}' ssh me@host", "sshpass -p{} ssh me@host",
		"docker login -u me -p {} ghcr.io", "redis-cli -h cache -a {} ping", "curl -u me:{} https://x", "curl --user 'me:{}' https://x", "gpg --batch --passphrase '{}' -d f.gpg",
		"openssl rsa -in k.pem -passin pass:{} -out o.pem", "htpasswd -bc .htpasswd me {}", "ldapsearch -D cn=admin -w {} -b dc=x", "wget --user=me --http-password={} https://x",
		"mongosh --username me -p {} db", "zip -P {} out.zip f", "smbclient //nas/share -U me%{}", "vault login -method=userpass username=me password={}",
	}},
	{kind: "password prose", draw: person, carriers: []string{
		"the password is {}", "My password is \"{}\", please keep it.", "the root password for staging is {}.", "Use user admin and password {} to log in.", "password: {}",
		"The Wi-Fi passphrase is `{}`", "Passwort: {}", "Das Passwort ist {}", "le mot de passe est {}", "La contraseña es {}", "a senha é {}", "пароль: {}", "Пароль — {}",
		"密码是{}", "パスワードは{}です", "비밀번호는 {}", "het wachtwoord is {}", "the password was changed to {} yesterday", "Hasło: {}", "lösenordet är {}", "la password è {}",
	}},
	{kind: "env secret", draw: bare(alnum, 20, 48), names: []string{"JWT_SECRET", "SECRET_KEY_BASE", "SESSION_SECRET", "INTERNAL_API_KEY", "api_token", "clientSecret", "ENCRYPTION_KEY", "WEBHOOK_SECRET", "accessToken"}, random: 12},
	{kind: "json client secret", draw: bare(urlSafe, 24, 40), carriers: []string{
		"{\"client_id\":\"web\",\"client_secret\":\"{}\"}", "\"client_secret\" : \"{}\",", "client_secret={}&grant_type=client_credentials", "%22client_secret%22%3A%22{}%22",
		"{&quot;client_secret&quot;:&quot;{}&quot;}", "clientSecret: '{}',", "oauth.client-secret = {}\n",
	}},
	{kind: "header key", draw: bare(lowhex, 32, 40), carriers: []string{
		"curl -H 'X-API-Key: {}' https://x", "x-api-key: {}", "X-Auth-Token: {}", "PRIVATE-TOKEN: {}", "--header 'X-Vault-Token: {}'", "headers[\"X-Api-Key\"] = \"{}\"",
		"req.headers.set('x-api-key', '{}')", "Ocp-Apim-Subscription-Key: {}", "https://api.acme.dev/v1?api_key={}&q=1", "https://x/y?access_token={}", "?token={}#top",
	}},
	{kind: "secret flag", draw: bare(alnum, 24, 40), carriers: []string{"acme --token {} deploy", "acme --api-key={} ls", "acme login --secret '{}'", "gh auth login --with-token {}", "--auth-token \"{}\" \\\n --x"}},
	{kind: "secret prose", draw: bare(alnum, 24, 40), carriers: []string{"our API key is {}", "the token is {}, valid until Friday", "use token {} for CI", "Here's the secret: {}", "access token: {}", "api key {}"}},
	{kind: "netrc", draw: person, carriers: []string{"machine api.acme.dev login me password {}\n", "machine h\n  login anna\n  password {}\n", "default login anonymous password x\nmachine b login c password {}"}},
	{kind: "pgpass", draw: person, carriers: []string{"db.internal:5432:app:me:{}", "echo '*:5432:*:postgres:{}' >> ~/.pgpass"}},
	{kind: "htpasswd hash", draw: func(g generator) string {
		return g.pick("$2y$10$"+g.from(alnum+"./", 53, 53), "$apr1$"+g.from(alnum, 8, 8)+"$"+g.from(alnum, 22, 22), "$6$"+g.from(alnum, 16, 16)+"$"+g.from(alnum, 86, 86))
	}, carriers: []string{"me:{}", "root:{}:19000:0:99999:7:::", "basicauth /* {\n  me {}\n}", "password_hash: \"{}\""}},
	{kind: "kubeconfig", draw: func(g generator) string { return g.from(base64ch, 1600, 2300) + "==" }, carriers: []string{"users:\n- name: a\n  user:\n    client-key-data: {}\n"}},
	{kind: "kubernetes secret", draw: func(g generator) string { return base64.StdEncoding.EncodeToString([]byte(g.from(alnum, 15, 30))) }, carriers: []string{
		"apiVersion: v1\nkind: Secret\ndata:\n  password: {}\n  username: YWRtaW4=\n", "stringData:\n  api-token: {}\n",
	}},
	{kind: "wallet key", draw: prefixed(lowhex, 64, 64, "0x", ""), names: []string{"PRIVATE_KEY", "DEPLOYER_PRIVATE_KEY"}, random: 4, carriers: []string{"cast send --private-key {} 0xabc", "accounts: [\"x\"], privateKey: \"{}\""}},
	{kind: "seed phrase", draw: func(g generator) string {
		words := make([]string, 12)
		for i := range words {
			words[i] = g.from(lowers, 4, 8)
		}
		return strings.Join(words, " ")
	}, carriers: []string{"MNEMONIC=\"{}\"", "my seed phrase is {}", "recovery phrase: {}", "mnemonic: '{}',"}},
	{kind: "signed url", draw: bare(lowhex, 64, 64), carriers: []string{"https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature={}"}},
	// Written after the rules, as a check from outside: 46 of these 69 were found at first, more after
	// some rules had been mended. The list is kept whole, because the misses that cannot be
	// distinguished from ordinary text belong in the figure.
	{kind: "unforeseen password", draw: person, carriers: []string{
		"ssh root@10.0.0.1 # pw: {}", "login: admin / {}", "creds are admin:{}", "rabbitmqctl add_user app '{}'", "kubectl create secret docker-registry r --docker-password={}",
		"helm upgrade x . --set postgresql.auth.password={}", "terraform apply -var 'db_password={}'", "TF_VAR_db_password={} terraform plan",
		"psql \"host=h user=u password={} dbname=d\"", "sqlplus scott/{}@orcl", "net user bob {} /add", "echo '{}' | sudo -S ls", "expect \"Password:\"\nsend \"{}\\r\"",
		"ConnectionStrings__Default='Server=.;User Id=sa;Password={};'", "spring:\n  datasource:\n    username: sa\n    password: '{}'\n",
		"{\"auth\":{\"user\":\"a\",\"pass\":\"{}\"}}", "nodemailer.createTransport({auth:{user:'x',pass:'{}'}})", "requests.get(u, auth=('me', '{}'))",
		"httpx.BasicAuth(\"me\", \"{}\")", "req.SetBasicAuth(\"me\", \"{}\")", "String password = \"{}\";", "private static final String DB_PASSWORD = \"{}\";",
		"let password = String::from(\"{}\");", "password => \"{}\",", "'password' => env('X', '{}'),", "define('DB_PASSWORD', '{}');", "$password = '{}';",
		"db.auth(\"me\", passwordPrompt()) // was {}", "I changed the admin password, it's now {}", "pwd={}", "PASSWORD: {}", "user: bob\npass: {}\n", "WIFI: SSID home, key {}",
		"unlock with pin 483920 and password `{}`",
	}},
	{kind: "unforeseen token", draw: bare(alnum, 32, 40), carriers: []string{
		"axios.get(u,{headers:{'x-api-key':'{}'}})", "fetch(u, { headers: { Authorization: `Bearer {}` } })", "grpcurl -H 'authorization: Bearer {}' h:443 x", "apikey {}",
		"key = \"{}\"", "API Key : {}", "API-KEY={}", "\"apiKey\":\"{}\"", "accessKeySecret: {}", "secretKey={}", "ACCESS_TOKEN = '{}'", "refresh_token={}", "Bearer {}",
		"--bearer-token={}", "X-Gitlab-Token: {}", "wss://h/ws?token={}", "gcloud auth activate --access-token {}", "doctl auth init -t {}", "vault write x token={}",
	}},
	{kind: "unforeseen hex key", draw: bare(lowhex, 40, 40), carriers: []string{
		"Your verification token: {}", "npm_config__auth={}", "SECRET = b'{}'", "app.secret_key = '{}'", "config.secret_key_base = '{}'",
		"Rails.application.credentials.secret_key_base # {}", "<apiKey>{}</apiKey>", "<string name=\"api_key\">{}</string>", "apikey:{}", "SIGNING_KEY={}", "MASTER_KEY={}",
		"config/master.key: {}", "Set-Cookie: remember_token={}; path=/", "curl --cookie 'sid={}' u", "HMAC_KEY: \"{}\"", "deploy --key {}",
	}},
}

type planted struct{ kind, text, secret string }

// corpus draws the planted texts. The same seed gives the same corpus.
func corpus(seed uint64) []planted {
	g := generator{rand.New(rand.NewPCG(seed, 7))}
	var all []planted
	for _, p := range plants {
		carriers := slices.Clone(p.carriers)
		pool := anywhere
		if len(p.names) > 0 {
			pool = named
		}
		for _, i := range g.Perm(len(pool))[:p.random] {
			carrier := pool[i]
			if len(p.names) > 0 {
				carrier = strings.ReplaceAll(carrier, "NAME", g.pick(p.names...))
			}
			carriers = append(carriers, carrier)
		}
		for _, c := range carriers {
			secret := p.draw(g)
			all = append(all, planted{p.kind, strings.ReplaceAll(c, "{}", secret), secret})
		}
	}
	return all
}

// survives reports whether the secret, or a telling part of it, is still in the text.
func survives(clean, secret string) bool {
	if strings.Contains(clean, secret) {
		return true
	}
	const part = 10
	for i := 0; i+part <= len(secret); i++ {
		if w := secret[i : i+part]; random(w) && strings.Contains(clean, w) {
			return true
		}
	}
	return false
}

func TestPlantedSecretsAreRedacted(t *testing.T) {
	type score struct{ all, missed int }
	scores := map[string]*score{}
	total, missed := 0, 0
	for seed := range uint64(5) { // five draws: a rule must not depend on one lucky body
		for _, p := range corpus(seed) {
			s := scores[p.kind]
			if s == nil {
				s = &score{}
				scores[p.kind] = s
			}
			s.all++
			total++
			if clean := Clean(p.text); survives(clean, p.secret) {
				s.missed++
				missed++
				t.Logf("%s missed in\n\t%q\n\t%q", p.kind, shorten(p.text), shorten(clean))
			}
		}
	}
	size := len(corpus(0))
	recall := 100 * float64(total-missed) / float64(total)
	t.Logf("%d secrets of %d kinds, drawn 5 times: %.2f %% redacted", size, len(scores), recall)
	if size < 300 || len(scores) < 40 {
		t.Errorf("the corpus has %d secrets of %d kinds, want 300 of 40", size, len(scores))
	}
	if recall < 95 {
		t.Errorf("%.2f %% redacted, want 95 %%", recall)
		for kind, s := range scores {
			t.Logf("%-24s %3d of %3d missed", kind, s.missed, s.all)
		}
	}
}

func shorten(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}
