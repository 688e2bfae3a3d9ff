package code

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// sources are pieces of real-looking code with what they define.
var sources = []struct {
	name, path, source string
	want               string // names, parted by blanks
}{
	{"Go", "store/store.go", `// Package store keeps things. func NotThis() {}
package store

import "context"

/* type NorThis struct{} */
const (
	MaxRows, minRows = 10, 1 // func no() {}
	Retries          = 3
	private          = 4
)

var ErrGone, errHidden = errors.New("gone {"), 1

type Store struct {
	db *sql.DB
	mu sync.Mutex
}

type (
	Reader interface {
		Read(ctx context.Context, id int) (Row, error)
		io.Closer
	}
	Row struct{ A int }
)

type Pair[K comparable, V any] struct {
	Key K
}

func Open(
	path string,
	opts ...Option,
) (*Store, error) {
	query := ` + "`" + `
func insideText() {
` + "`" + `
	helper := func() {}
	r := '{'
	type local struct{}
	return nil, nil
}

func (s *Store) Close() error { return s.db.Close() }
func (Pair[K, V]) Swap()      {}
func Map[T any](in []T) []T {
	return in
}
`, "MaxRows Retries ErrGone Store Reader Read Row Pair Open Close Swap Map"},

	{"TypeScript", "src/app.ts", `import { x } from './x'
// function no() {}
export const API_URL = "http://x/{y}";
export type Id = string | number
export interface Repo<T> extends Base {
  find(id: Id): Promise<T>;
  readonly size: number
  onChange?: (x: T) => void
}
export enum Color { Red, Green }
const enum Flag { A }
export abstract class Service<T> implements Repo<T> {
  private cache = new Map<string, T>();
  constructor(private readonly http: Http) { super() }
  async find(id: Id): Promise<T> {
    if (!id) { throw new Error(` + "`bad ${id ? `{${id}` : '}'} `" + `) }
    for (const a of b) { call(a) }
    return this.http.get(/['"{]/g)
  }
  get size(): number { return 1 }
  get(key: string) { return 2 }
  delete(
    key: string,
    opts: { force: boolean } = { force: true },
  ): void {
    inner()
  }
  handle = async (e: Event) => {
    e.stop()
  }
  #secret() {}
  static create<T>(): Service<T> { return null! }
  protected abstract run(): void
}
export default function main({ a, b }: Props): { ok: boolean } {
  function nested() {}
  return { ok: true }
}
const helper = (a: number) => a * 2
const plain = compute(x => x)
let counter = 0
async function* stream() {}
declare module "x" {
  export function ambient(): void
}
export const Button = React.memo(({ a }) => {
  return <p>Don't {a}</p>
})
export function last() {}
`, "API_URL Id Repo find Color Flag Service size get delete handle secret create run main helper stream ambient Button last"},

	{"JavaScript", "lib/queue.js", `'use strict'
const fs = require('fs')
function Queue() { this.items = [] }
Queue.prototype.push = function (x) { this.items.push({ x }) }
exports.create = () => new Queue()
module.exports = {
  start() { run({ a: 1 }) },
  stop: function () {},
  pause: async (x) => { await x },
  nested: {
    deep(a, b) { return a / b / 2 },
  },
  value: 3, call: start(),
}
describe('x', () => {
  it('does', function () {})
})
var App = class {}
`, "Queue push create start stop pause deep App"},

	{"Vue", "Button.vue", `<template><p>function no() {}</p></template>
<script lang="ts">
export default defineComponent({
  name: 'Button',
  props: { a: String },
  methods: {
    click(e) { this.$emit('x') },
  },
  setup() { return {} },
})
</script>
<script setup>
const open = () => 1
function close() {}
</script>
<style>.a { }</style>
`, "click setup open close"},

	{"Svelte", "App.svelte", "<script>\n  export let name\n  function greet() {}\n</script>\n<h1>{name}</h1>", "name greet"},

	{"Python", "flask/app.py", `"""Module.

def not_this(): pass
"""
import os
MAX_SIZE: int = 3
DEBUG = True
lower = 1
T = TypeVar("T")

def no_import(): pass

class Flask(App):
    """class Neither: """

    def __init__(
        self,
        name: str,
    ) -> None:
        def nested():
            pass
        self.x = '''
def text():
'''

    async def dispatch(self): # def comment():
        class Local: pass

    @property
    def name(self): return "#"

if sys.version_info:
    def compat(): pass

async def main() -> None:
    pass
`, "MAX_SIZE DEBUG no_import Flask __init__ dispatch name compat main"},

	{"Rust", "src/lib.rs", `//! fn no() {}
use std::fmt;
mod parser;
/* outer /* fn inner() {} */ fn no() {} */
pub const LIMIT: usize = 10;
const HIDDEN: char = '{';
pub static NAME: &str = r#"fn raw() { ""#;
#[derive(Debug, Clone)]
pub struct Parser<'a> {
    input: &'a str,
}
pub struct Unit;
pub(crate) struct Pair(pub u8, u8);
pub enum Token { Open, Close }
pub type Result<T> = std::result::Result<T, Error>;
pub trait Visit {
    fn enter(&mut self, t: &Token);
    fn leave(&mut self) -> bool { true }
}
impl<'a> Parser<'a> {
    pub fn new(input: &'a str) -> Self {
        fn helper() {}
        let brace = '}';
        let quote = '\'';
        Parser { input }
    }
    pub async unsafe fn run<T: Into<String>>(&self, x: T) -> Result<()>
    where
        T: Clone,
    {
        println!("multi
line {}", x);
    }
}
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) }
}
#[no_mangle]
pub extern "C" fn export() {}
pub const fn fixed() -> u8 { 1 }
macro_rules! vector { ($x:expr) => {} }
pub mod inner {
    pub fn deep() {}
}
cfg_rt! {
    pub fn under_condition() {}
}
#[cfg(test)]
mod tests {
    fn runs_too() {}
}
`, "LIMIT NAME Parser Unit Pair Token Result Visit enter leave new run fmt export fixed vector deep under_condition runs_too"},

	{"Swift", "Sources/App.swift", `import Foundation
// func no() {}
@MainActor
public final class Store<T>: NSObject,
    Codable
{
    private(set) var items: [T] = []
    static let shared = Store()
    @objc func load(from url: URL) async throws -> [T]
        where T: Decodable
    {
        func nested() {}
        print("a \(items.map { "x" }) {")
        return []
    }
    class func make() -> Store { Store() }
    var count: Int { items.count }
    init() {}
}
struct Point {
    func moved() -> Point { self }
}
enum Kind: String { case a, b
    func label() -> String { """
    func text() {
    """ }
}
protocol Shape {
    func area() -> Double
}
extension Store.Inner: Shape {
    func area() -> Double { 0 }
}
actor Counter {}
typealias Name = String
func top(_ x: Int) -> Int { x }
`, "Store shared load make Point moved Kind label Shape area Inner Counter Name top"},

	{"Java", "src/main/java/a/UserService.java", `package a;
import java.util.List;
/** class No {} */
@Service("x{")
public class UserService extends Base<User> implements Closeable {
    public static final int MAX_USERS = 10;
    private static final Logger log = Logger.get("{");
    private final Map<String, List<User>> cache = new HashMap<>() {{ put("a", null); }};
    static { init(); }
    public UserService(Repo repo) { this.repo = repo; }
    @Override
    public <T extends User> List<T> findAll(
            @Param("a") String a, int b) throws IOException {
        if (a == null) { return null; }
        new Thread(() -> { run(); }).start();
        return x;
    }
    protected abstract void hook(int[] xs);
    int[] counts() { return "}".length() > '}' ? null : null; }
    enum State {
        ON(1), OFF(2) { void x() {} };
        int code() { return 1; }
    }
    interface Listener {
        void onEvent(Event e);
        default int rank() { return 0; }
    }
    record Point(int x, int y) {
        double norm() { return 0; }
    }
    @interface Marker {
        String value() default "";
    }
    String text = """
        void notAMethod() {
        """;
}
`, "UserService MAX_USERS findAll hook counts State code Listener onEvent rank Point norm Marker value"},

	{"Kotlin", "app/Main.kt", `package app
import x.y
const val MAX = 3
private val hidden = "${map["a"]} {"
@Serializable
data class User(
    val name: String,
    val age: Int = 3,
) : Base(), Named {
    companion object {
        const val TAG = "User"
        fun of(n: String) = User(n)
    }
    override suspend fun load(id: Int): User? {
        fun local() {}
        return null
    }
    val label get() = name
}
sealed interface Result<out T>
fun interface Handler {
    fun handle(x: Int)
}
object Registry { val items = listOf(1) }
enum class Color {
    RED, GREEN;
    fun hex() = "#"
}
inline fun <reified T> List<T>.firstOr(block: () -> T): T = block()
fun String.shout() = uppercase()
typealias Id = String
fun main() {
    println("fun no() {")
}
`, "MAX User TAG of load Result Handler handle Registry Color hex firstOr shout Id main"},

	{"C", "src/list.c", `/* int no(void) { } */
#include "list.h"
#define LIST_MAX 10
#define EMPTY
#define list_for_each(pos, head) \
	for (pos = (head)->next; pos; pos = pos->next) {
#ifdef A
static int add(struct list *l, int v) {
#else
static int add(struct list *l) {
#endif
	if (v) { return 1; }
	char c = '{', *s = "}";
	return 0;
}
struct list {
	struct list *next;
	int (*compare)(const void *, const void *);
};
typedef struct { int x; } point_t;
typedef int (*callback)(void *data);
typedef unsigned long size;
enum color { RED, GREEN };
static const struct ops table[] = { { "a", add }, };
static struct list *
list_new (int n)
{
	return malloc(sizeof(struct list));
}
MODULE_LICENSE("GPL");
static __attribute__((unused)) void quiet(void) { }
extern int printed(const char *fmt, ...);
`, "LIST_MAX list_for_each add list point_t callback size color list_new quiet printed"},

	{"C++", "src/window.cpp", `#ifndef WINDOW_H
#define WINDOW_H
namespace ui::core {
template <typename T, class U = int>
class EXPORT Window final : public Base<T> {
 public:
  explicit Window(int w) : w_(w), h_{0} { init(); }
  virtual ~Window();
  void resize(int w, int h) const override;
  bool operator==(const Window& o) const { return true; }
  std::vector<int> sizes() { return {1, 2}; }
  static constexpr int kMax = 1'000'000;
  int w_, h_{3};
 private:
  struct Impl;
  enum class Mode : int { A, B };
};
using Ptr = std::unique_ptr<Window<int>>;
void Window::resize(int w, int h) const {
  auto f = [&](int x) { return x; };
  const char* s = R"x(void no() { )x";
}
extern "C" {
int c_api(void);
}
}  // namespace
union Value { int i; };
#endif
`, "Window resize sizes Mode Ptr c_api Value"},

	{"Ruby", "app/user.rb", `# def no
module Blog
  class User < ApplicationRecord
    ROLES = %w[a b].freeze
    def self.find_by(name)
      sql = <<~SQL
        def text
      SQL
    end
    def valid?
      @x == 1
    end
    private def secret!; end
    def ==(other) end
  end
end
=begin
def comment
=end
class Admin::Panel; end
`, "Blog User ROLES find_by valid? secret! Panel"},

	{"C#", "Services/UserService.cs", `using System;
namespace App.Services
{
    [Route("api/{x}")]
    public sealed class UserService<T> : IUserService where T : class
    {
        public const int MaxUsers = 10;
        private readonly ILogger _log = new Logger();
        public string Name { get; set; } = "{";
        public UserService(ILogger log) { }
        [HttpGet("{id}")]
        public async Task<IActionResult> Get(int id)
        {
            var sql = @"select ""{"" from C:\";
            if (id > 0) { foreach (var x in y) { Call(x); } }
            return Ok($"{id}");
        }
        public int Twice(int x) => x * 2;
        protected virtual List<T> All<U>() where U : new() { return null; }
    }
    public interface IUserService
    {
        void Save(User u);
    }
    public record Point(int X, int Y);
    public record struct Size(int W);
    public enum Color { Red }
    public delegate void Changed(object sender);
}
`, "UserService MaxUsers Get Twice All IUserService Save Point Size Color Changed"},

	{"PHP", "src/User.php", `<html>function no() {}</html>
<?php
namespace App;
use Foo\Bar;
# function comment() {}
#[Entity]
final class User extends Model implements Named
{
    public const STATUS_ON = 1;
    private array $items = ['{'];
    public function __construct(private string $x) {}
    public static function find(int $id): ?self {
        $f = function () { return 1; };
        $s = <<<SQL
function text() {
SQL;
        return "multi
        line {";
    }
    abstract protected function run();
}
interface Named {
    public function name(): string;
}
trait Loud { }
if (!function_exists('helper')) {
    function helper() { }
}
?>
<p>class No {</p>
<?php function last_one() {} ?>
`, "User STATUS_ON find run Named name Loud helper last_one"},

	{
		"Markdown", "README.md", "Title\n=====\n\n# One `x`\n## Two ##\n#hash\n```\n# code\n```\n    # indented\n~~~sh\n# more\n~~~\n" +
			"### *Three*\ntext\n---\n", "Title|One x|Two|Three",
	},
	{"a language that is not known", "a.txt", "func main() {}\nclass A {}", ""},
	{"nothing", "a.go", "", ""},
}

func TestNamesOfEachLanguage(t *testing.T) {
	for _, c := range sources {
		t.Run(c.name, func(t *testing.T) {
			part := " "
			if strings.HasSuffix(c.path, ".md") {
				part = "|"
			}
			got := strings.Join(Names(c.path, []byte(c.source)), part)
			if got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
			windows := strings.ReplaceAll(c.source, "\n", "\r\n")
			if got := strings.Join(Names(c.path, []byte(windows)), part); got != c.want {
				t.Errorf("with the line ends of Windows\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestNamesAreFewShortAndText(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "func F%d() {}\nfunc F%d() {}\n", i, i)
	}
	got := Names("a.go", []byte(many.String()))
	if len(got) != namesLimit || got[0] != "F0" || got[79] != "F79" {
		t.Errorf("%d names: %q", len(got), got)
	}
	odd := "func " + strings.Repeat("x", nameLimit+1) + "() {}\nfunc \xff\xfe() {}\nfunc ü() {}\n"
	if got := Names("a.go", []byte(odd)); !slices.Equal(got, []string{"ü"}) {
		t.Errorf("got %q", got)
	}
	got = Names("a.md", []byte("# a\xffb"+strings.Repeat("é", nameLimit)))
	if len(got) != 1 || len(got[0]) > nameLimit || !utf8.ValidString(got[0]) {
		t.Errorf("got %q", got)
	}
}

// One mistake about a string or bracket must not cost the rest of the file.
func TestTheOutlineRecovers(t *testing.T) {
	for _, c := range []struct{ name, path, source, want string }{
		{"an apostrophe in JSX", "a.jsx", "function A() {\n  return (<p>Don't (worry</p>)\n}\nexport function B() {}", "A B"},
		{"a bracket that is never shut", "a.go", "func A() {\n\tx((\n}\n\nfunc B() {}\n", "A B"},
		{"a bracket too many", "a.ts", "}}}\nfunction A() {}\n)))\nclass B {}", "A B"},
		{"a string that is never shut", "a.go", "var x = \"abc\nfunc B() {}\n", "B"},
		{"a branch of the preprocessor", "a.c", "#if X\nint f(int a) {\n#else\nint f(void) {\n#endif\n}\nint g(void) {}\n", "f g"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(Names(c.path, []byte(c.source)), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzNames(f *testing.F) {
	for _, c := range sources {
		f.Add(c.path, c.source)
	}
	f.Add("a.h", "#\n0")
	f.Fuzz(func(t *testing.T, path, source string) {
		names := Names(path, []byte(source))
		if len(names) > namesLimit {
			t.Fatalf("%d names", len(names))
		}
		for i, n := range names {
			if n == "" || len(n) > nameLimit || !utf8.ValidString(n) || slices.Contains(names[:i], n) {
				t.Fatalf("name %q of %q", n, names)
			}
		}
	})
}

func BenchmarkNames(b *testing.B) {
	for _, c := range sources {
		if LanguageOf(c.path) == Unknown || c.source == "" {
			continue
		}
		// One long file whose names are always the same, so that all of it is read.
		source := []byte(strings.Repeat(c.source, 1+200_000/len(c.source)))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(source)))
			b.ReportAllocs()
			for b.Loop() {
				Names(c.path, source)
			}
		})
	}
}
