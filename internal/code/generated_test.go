package code

import "testing"

func TestWhatToolsWriteIsToldFromWhatPeopleWrite(t *testing.T) {
	for name, want := range map[string]bool{
		"package-lock.json": true, "web/yarn.lock": true, "pnpm-lock.yaml": true, "go.sum": true, "Cargo.lock": true,
		"poetry.lock": true, "Gemfile.lock": true, "composer.lock": true, "static/app.min.js": true,
		"dist/app.js.map":          true,
		"vendor/github.com/x/y.go": true, "a/node_modules/b/index.js": true, "api/v1/types.pb.go": true,
		"pkg/zz_generated.deepcopy.go": true, "proto/user_pb2.py": true, "Form.Designer.cs": true,

		"package.json": false, "go.mod": false, "Cargo.toml": false, "Gemfile": false, "app.js": false, "min.js": false,
		"map.go": false, "map": false, "lock.go": false, "src/lock/package.go": false, "vendor": false,
		"vendors/list.go": false,
		"vendor.go":       false, "__snapshots__/app.snap": false, "generated.go": false, "": false,
	} {
		if got := Generated(name); got != want {
			t.Errorf("Generated(%q) = %v", name, got)
		}
	}
}
