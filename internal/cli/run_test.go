package cli

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hebb-memory/hebb/internal/memory"
)

type limits struct {
	Limit int `flag:"limit,n"`
}

// Flags and arguments fill the input that has their tags; a command that is not named in the arguments has no flags.
func TestTagsFillAnInput(t *testing.T) {
	type input struct {
		limits
		Kind   memory.EventKind `flag:"kind,k" about:"only this kind"`
		Set    *string          `flag:"set" about:"may be empty"`
		First  string           `arg:"1"`
		Rest   string           `arg:"2..-"`
		Names  []string         `arg:"2.."`
		Origin memory.Origin
		Dir    string
	}
	empty := ""
	for line, want := range map[string]input{
		"it":                        {limits: limits{5}},
		"it -n 3 --kind prompt a b": {limits: limits{3}, Kind: memory.Prompted, First: "a", Rest: "b", Names: []string{"b"}},
		"it --set= a b c":           {limits: limits{5}, Set: &empty, First: "a", Rest: "b c", Names: []string{"b", "c"}},
		"it a -":                    {limits: limits{5}, First: "a", Rest: "typed", Names: []string{"-"}},
	} {
		var got input
		a := &app{Env: Env{Stdin: strings.NewReader("typed"), Dir: "/shop", Getenv: only("", "")}}
		root := under(&cobra.Command{Use: "hebb", SilenceErrors: true, SilenceUsage: true}, takes(a, &cobra.Command{Use: "it", Args: cobra.ArbitraryArgs},
			input{limits: limits{5}}, func(_ *cobra.Command, in input) error { got = in; return nil }))
		args := strings.Fields(line)
		a.bindFlags(args)
		root.SetArgs(args)
		want.Origin, want.Dir = memory.OriginUser, "/shop"
		if err := root.Execute(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", line, got, err, want)
		}
	}
	a := &app{}
	other := takes(a, &cobra.Command{Use: "other"}, limits{}, func(*cobra.Command, limits) error { return nil })
	if a.bindFlags([]string{"it"}); other.Flag("limit") != nil {
		t.Error("flags were made of a command that nobody named")
	}
}
