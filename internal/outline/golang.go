package outline

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// goOutline asks Go's own parser, which goes on behind what is broken.
func goOutline(source []byte, found *finds) {
	set := token.NewFileSet()
	file, _ := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if file == nil {
		return
	}
	whole := set.File(file.FileStart)
	place := func(p token.Pos) int {
		if !p.IsValid() || whole == nil {
			return nothing
		}
		return whole.Offset(p)
	}
	add := func(kind Kind, owner, name string, from, body, to token.Pos) {
		number := found.start(kind, owner, name, place(from))
		found.body(number, place(body))
		found.stop(number, place(to))
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			kind, owner, body := Function, receiver(d), d.End()
			if owner != "" {
				kind = Method
			}
			if d.Body != nil {
				body = d.Body.Lbrace
			}
			add(kind, owner, d.Name.Name, d.Pos(), body, d.End())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t, isType := spec.(*ast.TypeSpec)
				if !isType {
					continue
				}
				from := t.Pos()
				if !d.Lparen.IsValid() {
					from = d.Pos()
				}
				kind, body := goType(t.Type)
				add(kind, "", t.Name.Name, from, body, t.End())
			}
		}
	}
}

func goType(t ast.Expr) (Kind, token.Pos) {
	switch t := t.(type) {
	case *ast.StructType:
		return "struct", t.Fields.Opening
	case *ast.InterfaceType:
		return Interface, t.Methods.Opening
	}
	return Type, token.NoPos
}

// receiver is the type a method belongs to, without pointer and type parameters.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	for t := d.Recv.List[0].Type; ; {
		switch at := t.(type) {
		case *ast.StarExpr:
			t = at.X
		case *ast.ParenExpr:
			t = at.X
		case *ast.IndexExpr:
			t = at.X
		case *ast.IndexListExpr:
			t = at.X
		case *ast.Ident:
			return at.Name
		default:
			return ""
		}
	}
}
