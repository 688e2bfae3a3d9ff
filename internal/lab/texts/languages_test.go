package texts_test

import (
	"testing"

	"github.com/hebb-memory/hebb/internal/answer"
	"github.com/hebb-memory/hebb/internal/brain/braintest"
	"github.com/hebb-memory/hebb/internal/memory"
	"github.com/hebb-memory/hebb/internal/must"
	"github.com/hebb-memory/hebb/internal/statements"
	"github.com/hebb-memory/hebb/internal/steward"
	"github.com/hebb-memory/hebb/internal/texts"
)

func TestTextsInManyLanguagesAreFound(t *testing.T) {
	t.Parallel()
	l := braintest.NewLab(t)
	l.See(1, l.Asked("one", "look around", 0))
	notes := map[string]string{
		"fr": "Le café du bureau ferme à midi.",
		"ru": "Настройки резервного копирования лежат в каталоге ops.",
		"ko": "저장소를 매일 밤에 압축한다.",
		"zh": "部署gen-itgc服务之前先运行数据库迁移。",
		"ja": "サーバーの再起動は日曜日だけ。",
		"de": "Die Prüfung der Straße läuft nachts.",
		"en": "The scheduler retries failed deployments twice.",
	}
	for _, text := range notes {
		must.Get(steward.Run(t.Context(), l.Brain, statements.Remember, statements.RememberInput{Scope: l.Scope(), Text: text, Kind: memory.Fact, Origin: memory.OriginUser}))(t)
	}
	for query, language := range map[string]string{
		"cafe": "fr", "CAFÉ": "fr", "настройка": "ru", "резервное копирование": "ru", "저장소": "ko", "압축": "ko",
		"gen-itgc": "zh", "数据库": "zh", "itgc 迁移": "zh", "サーバー": "ja", "再起動": "ja", "strasse": "de", "prufung": "de", "retry deployment": "en",
		`"数据库迁移"`: "zh", `"gen-itgc"`: "zh", `"저장소"`: "ko",
	} {
		out := must.Get(steward.Run(t.Context(), l.Brain, answer.SearchTexts, texts.SearchInput{Scope: l.Scope(), Query: query, Limit: 3}))(t)
		if len(out.Found) == 0 || out.Found[0].Text != notes[language] || len(out.Found[0].Excerpt.Spans) == 0 {
			t.Errorf("%s: found %+v, want %q first, with its words marked", query, out.Found, notes[language])
		}
	}
}
