package fault

import (
	"strings"
	"sync"
)

// weight says how much a line says about what went wrong. Of all lines the first of the greatest
// weight is the fault.
type weight int

const (
	nothing  weight = iota
	vague           // something failed: an exit status
	stated          // a tool says error: and then something of its own
	asserted        // a value was not what was expected; which test expected it says more
	tested          // a test that failed, by name
	named           // an exception, a panic: its name and message
	cause           // a cause that is known by its words; counts as much as named, but wins within a line
)

// place is where in a line a marker must stand, so that the same words in a sentence are no fault.
type place int

const (
	anywhere  place = iota // the marker has the shape of an error itself
	atStart                // where a tool begins its line, or somebody begins to quote it
	asSegment              // between colons: "open x: permission denied", not "fix permission denied on Windows"
)

// marker is a piece of text by which an error is known.
type marker struct {
	text, also string // also must follow in the same line
	kind       string
	weight     weight
	where      place
}

const (
	exitStatusKind = "EXIT_STATUS"
	testKind       = "TEST_FAILURE"
	statedKind     = "ERROR"
	importKind     = "IMPORT_ERROR"
	panicKind      = "RUST_PANIC"
	goKind         = "GO_COMPILE_ERROR"
	lintKind       = "LINT_ERROR"
	assertionKind  = "ASSERTION_ERROR"

	unknownOperation = "unknown"
)

// markerTable holds the texts by which errors are known. Each begins with a word, apart from signs;
// … stands for anything; the case counts, except in segments. Of two that fit one line the heavier
// counts, else the earlier.
var markerTable = []struct {
	kind   string
	weight weight
	where  place
	texts  []string
}{
	// compilers, languages and what builds them
	{"GO_PANIC", named, atStart, []string{"panic: ", "http: panic serving "}},
	{"GO_PANIC", named, anywhere, []string{"panic: runtime error: "}},
	{"FATAL_ERROR", named, atStart, []string{"fatal error: "}},
	{"DATA_RACE", named, atStart, []string{"WARNING: DATA RACE"}},
	{"LINK_ERROR", cause, anywhere, []string{"undefined reference to ", "undefined symbol: ",
		"Undefined symbols for architecture ", "symbol(s) not found for architecture "}},
	{"MEMORY_ERROR", cause, anywhere, []string{"AddressSanitizer: "}},
	{"SEGMENTATION_FAULT", cause, asSegment, []string{"segmentation fault"}},
	{"SEGMENTATION_FAULT", cause, anywhere, []string{"Segmentation fault (core dumped)"}},
	{"ABORTED", cause, anywhere, []string{"Aborted (core dumped)", "terminate called after throwing an instance of "}},
	{"JAVA_COMPILE_ERROR", cause, anywhere, []string{"java:[…] "}}, // maven
	{"BUILD_FAILURE", stated, atStart, []string{"Execution failed for task ", "Failed to execute goal ",
		"CMake Error at "}},
	{"DOCKER_ERROR", named, anywhere, []string{"Error response from daemon: "}},
	{"KUBERNETES_ERROR", named, atStart, []string{"Error from server ("}},
	{"BUILD_FAILURE", named, atStart, []string{"make: *** No rule to make target ", "go: updates to go.mod needed",
		"go: errors parsing go.mod", "go: go.mod requires go >= "}},
	{exitStatusKind, vague, atStart, []string{"make: *** [", "npm ERR! code ELIFECYCLE",
		"error Command failed with exit code "}},
	{importKind, cause, anywhere, []string{"no required module provides package ", "cannot find main module",
		"go: …go.mod file not found", "go: …: unknown revision ", "missing go.sum entry for ", `Failed to resolve import "…"`,
		"Cannot find module '…'", `Cannot find module "…"`, "Cannot find package '…'", "No module named ",
		"Can't resolve '…'", `Could not resolve "…"`}},

	// tests
	{testKind, tested, atStart, []string{"--- FAIL: ", "FAIL ….test.", "FAIL ….spec.", "FAIL …__tests__", "FAILED …::",
		"test … ... FAILED", "FAIL: test…("}},
	{testKind, asserted, atStart, []string{"FAIL\t….", "ERROR …test_"}},
	{testKind, asserted, anywhere, []string{"Test suite failed to run"}},
	{assertionKind, asserted, anywhere, []string{"Assertion failed: ", "Assertion `… failed"}},
	{assertionKind, asserted, atStart, []string{"expect(received)"}},

	// databases
	{"MISSING_TABLE", cause, anywhere, []string{"no such table: ", `relation "…" does not exist`,
		"Table '…' doesn't exist"}},
	{"MISSING_COLUMN", cause, anywhere, []string{"no such column: ", `column "…does not exist`}},
	{"DUPLICATE_KEY", cause, anywhere, []string{"duplicate key value violates ", "duplicate key error…:",
		"Duplicate entry '…' for key", "UNIQUE constraint failed: "}},
	{"CONSTRAINT_VIOLATION", cause, anywhere, []string{"FOREIGN KEY constraint failed", "NOT NULL constraint failed: ",
		"CHECK constraint failed: ", "null value in column …violates not-null constraint",
		"violates foreign key constraint "}},
	{"SQL_SYNTAX_ERROR", cause, anywhere, []string{"syntax error at or near ", `near "…": syntax error`}},
	{"DATABASE_LOCKED", cause, asSegment, []string{"database is locked", "database table is locked"}},
	{"DEADLOCK", cause, asSegment, []string{"deadlock detected"}},

	// network
	{"CONNECTION_REFUSED", cause, asSegment, []string{"connection refused"}},
	{"CONNECTION_REFUSED", cause, atStart, []string{"curl: (7) "}},
	{"CONNECTION_RESET", cause, asSegment, []string{"connection reset by peer", "broken pipe"}},
	{"DNS_FAILURE", cause, asSegment, []string{"no such host", "could not resolve host",
		"temporary failure in name resolution", "name or service not known"}},
	{"ADDRESS_IN_USE", cause, asSegment, []string{"address already in use"}},
	{"TLS_ERROR", cause, anywhere, []string{"x509: ", "SSL certificate problem: "}},
	{"TLS_ERROR", cause, asSegment, []string{"certificate verify failed", "certificate has expired",
		"self-signed certificate", "self-signed certificate in certificate chain", "unable to get local issuer certificate",
		"handshake failure"}},
	{"AUTHENTICATION_FAILED", cause, anywhere, []string{"password authentication failed for user ",
		"Access denied for user "}},
	{"AUTHENTICATION_FAILED", cause, asSegment, []string{"authentication failed"}},

	// time, space, files, shells
	{"TIMEOUT", cause, asSegment, []string{"context deadline exceeded", "i/o timeout", "connection timed out",
		"operation timed out"}},
	{"TIMEOUT", cause, anywhere, []string{"Command timed out after ", "curl: (28) ", "Exceeded timeout of … ms ",
		"panic: test timed out after "}},
	{"OUT_OF_MEMORY", cause, asSegment, []string{"out of memory", "cannot allocate memory"}},
	{"OUT_OF_MEMORY", cause, anywhere, []string{"JavaScript heap out of memory", "CUDA out of memory",
		"Allowed memory size of …bytes exhausted"}},
	{"DISK_FULL", cause, asSegment, []string{"no space left on device"}},
	{"PERMISSION_DENIED", cause, asSegment, []string{"permission denied", "operation not permitted"}},
	{"FILE_NOT_FOUND", cause, asSegment, []string{"no such file or directory", "file not found", "file does not exist",
		"path does not exist"}},
	{"SYSTEM_ERROR", cause, asSegment, []string{"is a directory", "not a directory", "file exists",
		"directory not empty"}},
	{"COMMAND_NOT_FOUND", cause, asSegment, []string{"command not found"}},
	{"COMMAND_NOT_FOUND", cause, anywhere, []string{"sh: 1: …: not found"}},

	// git and npm
	{"GIT_ERROR", named, atStart, []string{"fatal: ", "error: failed to push some refs", "error: patch failed: ",
		"error: Your local changes to the following files"}},
	{"MERGE_CONFLICT", named, atStart, []string{"CONFLICT (…): "}},
	{"NPM_ERROR", stated, atStart, []string{"npm ERR! ", "npm error "}},
}

// markersByWord finds the markers that begin with a word, in lower case. It is built when the first error is looked
// for: no start of the program waits for it.
var markersByWord = sync.OnceValue(func() map[string][]marker {
	index := map[string][]marker{}
	for _, row := range markerTable {
		for _, pattern := range row.texts {
			text, also, _ := strings.Cut(pattern, "…")
			word := text[signsBefore(text):]
			word = strings.ToLower(word[:wordLength(word)])
			index[word] = append(index[word], marker{text, also, row.kind, row.weight, row.where})
		}
	}
	return index
})

// aliases are the classes and codes that languages have for the same thing.
var aliases = []struct{ kind, names string }{
	{statedKind, " Error Exception "},
	{importKind, " ModuleNotFoundError ImportError ClassNotFoundException NoClassDefFoundError "},
	{"REFERENCE_ERROR", " ReferenceError NameError UnboundLocalError "},
	{"SYNTAX_ERROR", " SyntaxError IndentationError TabError ParseError "},
	{"RANGE_ERROR", " RangeError IndexError IndexOutOfBoundsException ArrayIndexOutOfBoundsException" +
		" StringIndexOutOfBoundsException "},
	{"NULL_POINTER", " NullPointerException NullReferenceException "},
	{assertionKind, " AssertionError AssertionFailedError ExpectationFailedException "},
	{"FILE_NOT_FOUND", " ENOENT FileNotFoundError FileNotFoundException NoSuchFileException "},
	{"PERMISSION_DENIED", " EACCES EPERM PermissionError AccessDeniedException "},
	{"CONNECTION_REFUSED", " ECONNREFUSED ConnectionRefusedError "},
	{"CONNECTION_RESET", " ECONNRESET ECONNABORTED EPIPE ConnectionResetError BrokenPipeError "},
	{"TIMEOUT", " ETIMEDOUT ESOCKETTIMEDOUT TimeoutError TimeoutException SocketTimeoutException "},
	{"DNS_FAILURE", " ENOTFOUND EAI_AGAIN UnknownHostException "},
	{"ADDRESS_IN_USE", " EADDRINUSE "},
	{"OUT_OF_MEMORY", " ENOMEM MemoryError OutOfMemoryError "},
	{"DISK_FULL", " ENOSPC "},
	{"TLS_ERROR", " SSLError SSLHandshakeException SSLCertVerificationError "},
	{"SYSTEM_ERROR", " EEXIST EISDIR ENOTDIR ENOTEMPTY EMFILE EHOSTUNREACH EBUSY EXDEV EROFS "},
}

func aliasKind(name string) string {
	name = " " + name + " "
	for _, a := range aliases {
		if strings.Contains(a.names, name) {
			return a.kind
		}
	}
	return ""
}

// exceptionKind names the kind of an exception: the name of its class in capitals, unless languages disagree about it.
func exceptionKind(class string) string {
	if kind := aliasKind(class); kind != "" {
		return kind
	}
	var kind strings.Builder
	for i := range len(class) {
		if i > 0 && startsPart(class, i) {
			kind.WriteByte('_')
		}
		kind.WriteByte(class[i])
	}
	return strings.ToUpper(kind.String())
}

// startsPart reports whether a part of a name begins at a place: HTTPServer2 is HTTP, Server, 2.
func startsPart(name string, at int) bool {
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	lower := func(i int) bool { return i < len(name) && name[i] >= 'a' && name[i] <= 'z' }
	return upper(at) && (lower(at-1) || upper(at-1) && lower(at+1)) || isDigit(name, at-1) != isDigit(name, at)
}

// compileKind is the kind of an error that a compiler or checker reports at a place in a file.
func compileKind(extension string) string {
	switch extension {
	case "go":
		return goKind
	case "rs":
		return "RUST_COMPILE_ERROR"
	case "ts", "tsx", "mts", "cts", "vue":
		return "TYPESCRIPT_COMPILE_ERROR"
	case "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "cu":
		return "C_COMPILE_ERROR"
	case "java":
		return "JAVA_COMPILE_ERROR"
	case "py", "pyi":
		return "TYPE_CHECK_ERROR"
	case "cs":
		return "CSHARP_COMPILE_ERROR"
	}
	return "COMPILE_ERROR"
}

// goComplaints are what the Go compiler, vet and the go command say after file.go:12:5:, where a search tool would
// print the line itself.
var goComplaints = []string{"undefined: ", "undefined (", "declared and not used", "imported and not used",
	"cannot use ",
	"missing return", "syntax error", "too many arguments", "not enough arguments", "too many return values",
	"not enough return values", "assignment mismatch", "invalid operation", "undeclared name", "could not import",
	"cannot find package", "is not in std", "redeclared in this block", "already declared", "has no field or method",
	"does not implement", "cannot convert", "no new variables on left side", "invalid argument", "unknown field",
	"import cycle not allowed", "is not a type", "is not an expression", "mismatched types", "cannot infer",
	"cannot assign", "cannot call", "cannot range over", "cannot refer to", "missing ',' ", "expected ", "not exported",
	"no value) used as value", "is not used", "overflows", "format %", "unusedresult", "label ", "duplicate case"}

// keepsNames reports whether what stands in quotes belongs to the error. Where a thing with a name is missing or wrong
// (a module, a table, a symbol, a key), the name is the error; elsewhere quotes hold values, which differ every time,
// and a null is a null whatever property was asked of it.
func keepsNames(kind string) bool {
	switch kind {
	case importKind, testKind, panicKind, "REFERENCE_ERROR", "KEY_ERROR", "ATTRIBUTE_ERROR", "NO_METHOD_ERROR", "LINK_ERROR", lintKind,
		"MISSING_TABLE", "MISSING_COLUMN", "DUPLICATE_KEY", "CONSTRAINT_VIOLATION", "COMMAND_NOT_FOUND", "FILE_NOT_FOUND",
		"BUILD_FAILURE", "NPM_ERROR", "TYPE_CHECK_ERROR":
		return true
	}
	return strings.HasSuffix(kind, "COMPILE_ERROR")
}

// saysMissing reports whether a message says that something is not there: then the name of the thing is the error, whatever its kind.
func saysMissing(message string) bool {
	low := strings.ToLower(message)
	for _, words := range []string{"not found", "not exist", "n't exist", "no such", "undeclared", "not been declared", "not declared", "not registered", "unknown ", "missing ", "cannot find"} {
		if strings.Contains(low, words) {
			return true
		}
	}
	return false
}

// operations name what was being done, by the first phrase that the message contains, in lower case, from the start of
// a word.
var operations = []struct{ phrase, operation string }{
	{"cannot read propert", "property_access"}, {"cannot set propert", "property_access"},
	{"has no attribute", "property_access"}, {"nil pointer dereference", "property_access"},
	{"nullpointer", "property_access"}, {"is null", "property_access"},
	{"is not a function", "calling"}, {"not callable", "calling"}, {"positional argument", "calling"},
	{"is not a constructor", "calling"}, {"unexpected keyword argument", "calling"}, {"required argument", "calling"},
	{"find module", "importing"}, {"no module named", "importing"}, {"find package", "importing"},
	{"cannot import", "importing"}, {"resolve '", "importing"}, {"provides package", "importing"},
	{"getaddrinfo", "resolving_name"}, {"no such host", "resolving_name"}, {"resolve host", "resolving_name"},
	{"name resolution", "resolving_name"},
	{"listen", "listening"}, {"address already in use", "listening"},
	{"connect", "connecting"}, {"dial", "connecting"}, {"handshake", "connecting"}, {"certificate", "connecting"},
	{"out of range", "indexing"}, {"out of bounds", "indexing"}, {"keyerror", "indexing"},
	{"unexpected token", "parsing"}, {"unexpected end", "parsing"}, {"invalid syntax", "parsing"},
	{"unmarshal", "parsing"}, {"json:", "parsing"}, {"valid json", "parsing"}, {"jsondecode", "parsing"},
	{"syntax error", "parsing"}, {"unterminated", "parsing"},
	{"no such table", "querying"}, {"no such column", "querying"}, {"relation", "querying"}, {"column", "querying"},
	{"table", "querying"},
	{"constraint", "querying"}, {"duplicate", "querying"}, {"database", "querying"}, {"deadlock detected", "querying"},
	{"mkdir", "writing"}, {"write", "writing"}, {"no space left", "writing"},
	{"open ", "reading"}, {"no such file", "reading"}, {"scandir", "reading"}, {"stat ", "reading"}, {"read ", "reading"},
	{"spawn", "running"}, {"command not found", "running"}, {"command timed out", "running"},
	{"merge conflict", "merging"}, {"push", "pushing"}, {"undefined reference", "linking"}, {"heap", "allocating"},
	{"out of memory", "allocating"},
}

// operationOf leaves what compilers say unknown: it is about the text of a program, not about a deed.
func operationOf(kind, message string) string {
	switch {
	case kind == testKind || kind == assertionKind:
		return "testing"
	case strings.HasSuffix(kind, "COMPILE_ERROR") || kind == lintKind || kind == exitStatusKind:
		return unknownOperation
	}
	message = strings.ToLower(message)
	for _, o := range operations {
		if at := strings.Index(message, o.phrase); at == 0 || at > 0 && !isWordByte(message[at-1]) {
			return o.operation
		}
	}
	return unknownOperation
}
