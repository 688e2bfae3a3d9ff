package learn

import (
	"slices"
	"strings"
	"testing"
)

func TestStemGroupsAreSmallAndSaySomething(t *testing.T) {
	for _, c := range []struct{ name, files, want string }{
		{"across folders", "src/flask.py tests/test_flask.py", "src/flask.py+tests/test_flask.py"},
		{"one alone", "a.go b.go", ""},
		{"a common name in two places", "a/utils.py b/utils.py", ""},
		{"a common name with its test", "a/utils.py b/utils.py tests/a/test_utils.py", "a/utils.py+tests/a/test_utils.py"},
		{
			"Java's folders", "src/main/java/a/Main.java src/test/java/a/MainTest.java src/main/java/b/Main.java",
			"src/main/java/a/Main.java+src/test/java/a/MainTest.java",
		},
		{"eight", "a/x b/x c/x d/x e/x f/x g/x h/x", "a/x+b/x+c/x+d/x+e/x+f/x+g/x+h/x"},
		{"nine, of which two are at home together", "a/x.c a/x.h c/x d/x e/x f/x g/x h/x i/x", "a/x.c+a/x.h"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, group := range stemGroups(strings.Fields(c.files)) {
				got = append(got, strings.Join(group, "+"))
			}
			slices.Sort(got)
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
