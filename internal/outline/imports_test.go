package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var importing = []struct {
	name, path, source string
	want               []string
}{
	{"Go", "main.go", `// import "no"
package main

import "fmt"
import (
	"context" // import "comment"
	_ "embed"
	. "math"

	str "strings"
	/* "block" */
	` + "`raw`" + `
)
import()

func main() {
	x := ` + "`\nimport \"text\"\n`" + `
}
`, []string{"fmt", "context", "embed", "math", "strings", "raw"}},

	{"TypeScript", "src/app.ts", `// import a from './comment'
import React, { useState } from 'react'
import type { A } from "./types";
import './side.css'
import {
  b,
  c,
} from '../b.js'
import * as d from './d'
export * from './e'
export { f } from './f'
const g = require('./g')
const h = await import(/* webpackChunkName: "x" */ './h')
const text = "import x from './text'"
const re = /from '.\/regex'/
x.require('./member'); reform('./call'); const from = './variable'
import again from 'react'
`, []string{"react", "./types", "./side.css", "../b.js", "./d", "./e", "./f", "./g", "./h"}},

	{"Vue", "A.vue", "<template>from './no'</template><script>\nimport b from './B.vue'\n</script>", []string{"./B.vue"}},

	{"Python", "a/b.py", `"""
import text
"""
import os, sys as system
import a.b.c
from . import views
from .. import x as y, z
from .models import User, Group  # from comment import no
from app.core import (
    one,
    two as zwei,  # why
)
from app import \
    three, \
    four
from star import *
if TYPE_CHECKING:
    from typing import Any
x = "from string import y"
raise Error from err
`, []string{
		"os", "sys", "a.b.c", ".views", "..x", "..z", ".models.User", ".models.Group", "app.core.one", "app.core.two",
		"app.three", "app.four", "star", "typing.Any",
	}},

	{"Rust", "src/lib.rs", `use std::fmt;
// use comment::no;
mod parser;
pub mod lexer;
mod inline { fn x() {} }
pub(crate) use crate::a::b::C as D;
use crate::x::{self, y, z::{Deep, Other as O}, w::*};
use super::{
    up,
    side::Thing,
};
let text = "
use text::no;
";
    use self::inner;
`, []string{
		"std::fmt", "self::parser", "self::lexer", "crate::a::b::C", "crate::x", "crate::x::y", "crate::x::z::Deep",
		"crate::x::z::Other", "crate::x::w", "super::up", "super::side::Thing", "self::inner",
	}},

	{"Swift", "a.swift", `import Foundation
@testable import App
import struct Model.User
// import No
let importx = 1
`, []string{"Foundation", "App", "Model.User"}},

	{"Java", "A.java", `package a;
/* import no.No; */
import java.util.List;
import static a.b.C.run;
import a.c.*;
`, []string{"java.util.List", "a.b.C.run", "a.c.*"}},

	{"Kotlin", "A.kt", "import a.b.C\nimport a.b.D as E\n", []string{"a.b.C", "a.b.D"}},
	{"C", "a.c", `#include <stdio.h>
#  include "list.h" // "no"
/*
#include "comment.h"
*/
#include <sys/types.h> // x > y
#define X
`, []string{"<stdio.h>", "list.h", "<sys/types.h>"}},

	{"a language whose imports are not read", "a.rb", "require 'x'", nil},
	{"nothing", "a.py", "", nil},
	{"an import that never ends", "a.py", "from a import (\n b,\n", []string{"a.b"}},
}

func TestImportsOfEachLanguage(t *testing.T) {
	for _, c := range importing {
		t.Run(c.name, func(t *testing.T) {
			if got := Imports(c.path, []byte(c.source)); !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
			windows := strings.ReplaceAll(c.source, "\n", "\r\n")
			if got := Imports(c.path, []byte(windows)); !slices.Equal(got, c.want) {
				t.Errorf("with the line ends of Windows\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestImportsAreLimited(t *testing.T) {
	var many strings.Builder
	for i := range 2 * importsLimit {
		fmt.Fprintf(&many, "import m%d\n", i)
	}
	if got := Imports("a.py", []byte(many.String())); len(got) != importsLimit {
		t.Errorf("kept %d", len(got))
	}
	odd := "import " + strings.Repeat("x", importLimit+1) + "\nimport \xff\nimport ok"
	if got := Imports("a.py", []byte(odd)); !slices.Equal(got, []string{"ok"}) {
		t.Errorf("got %q", got)
	}
	deep := "use " + strings.Repeat("a::{", 100_000)
	Imports("a.rs", []byte(deep))
}

func FuzzImports(f *testing.F) {
	for _, c := range importing {
		f.Add(c.path, c.source)
	}
	f.Fuzz(func(t *testing.T, path, source string) {
		found := Imports(path, []byte(source))
		if len(found) > importsLimit {
			t.Fatalf("%d imports", len(found))
		}
		for i, name := range found {
			if name == "" || len(name) > importLimit || !utf8.ValidString(name) || slices.Contains(found[:i], name) {
				t.Fatalf("import %q of %q", name, found)
			}
		}
	})
}
