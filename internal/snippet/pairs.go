package snippet

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// typed is a type of a project and where it is.
type typed struct {
	name, path string
	contract   bool // an interface, trait or protocol
}

// implementations are the customary names of what implements X, as X stands for the interface. The names I…, as in C#,
// are the other way round.
var implementations = [...]string{"XImpl", "DefaultX", "X without I"}

func implementation(how, contract string) (string, bool) {
	if how == "X without I" {
		rest, is := strings.CutPrefix(contract, "I")
		return rest, is && rest != "" && rest[0] >= 'A' && rest[0] <= 'Z'
	}
	return strings.Replace(how, "X", contract, 1), true
}

func (c *Conventions) learnPairs(snippets []Snippet) {
	var contracts []typed
	for _, s := range snippets {
		t := typed{name: s.Name, path: s.Path}
		switch s.Kind {
		case "interface", "trait", "protocol":
			t.contract = true
			contracts = append(contracts, t)
		case "class", "struct", "record", "object", "actor":
		default:
			continue
		}
		c.types[s.Name] = append(c.types[s.Name], t)
	}
	for name, all := range c.types {
		slices.SortFunc(all, func(a, b typed) int { return strings.Compare(a.path, b.path) })
		c.types[name] = slices.Compact(all)
	}
	for _, contract := range contracts {
		how, _ := c.implementedBy(contract.name)
		c.pairs[how]++
	}
}

// implementedBy finds the type that by its name implements an interface.
func (c *Conventions) implementedBy(contract string) (how string, by typed) {
	for _, how := range implementations {
		name, is := implementation(how, contract)
		if !is {
			continue
		}
		for _, t := range c.types[name] {
			if !t.contract {
				return how, t
			}
		}
	}
	return "", typed{}
}

// pairAdvice names the other half where one of an interface and its implementation is touched, and says how to call it
// where there is none yet.
func (c *Conventions) pairAdvice(name string) string {
	most, strong := convention(c.pairs, strings.Compare)
	if !strong || most.Is == "" {
		return ""
	}
	_, stem, _ := parts(name)
	for _, contract := range c.contractsFor(most.Is, stem) {
		how, by := c.implementedBy(contract.name)
		switch {
		case contract.path != name && by.path != name:
		case how == "":
			wanted, is := implementation(most.Is, contract.name)
			if !is {
				continue
			}
			return fmt.Sprintf("what implements %s is to be called %s (%d of %d interfaces have one of that name)", contract.name, wanted, most.N, most.Of)
		case contract.path != by.path:
			return fmt.Sprintf("%s in %s is implemented by %s in %s (%d of %d interfaces have such a pair)",
				contract.name, contract.path, by.name, path.Clean(by.path), most.N, most.Of)
		}
	}
	return ""
}

// contractsFor lists the interfaces that a file may be about, by its name.
func (c *Conventions) contractsFor(how, stem string) []typed {
	names := []string{stem}
	switch how {
	case "XImpl":
		names = append(names, strings.TrimSuffix(stem, "Impl"))
	case "DefaultX":
		names = append(names, strings.TrimPrefix(stem, "Default"))
	default:
		names = append(names, "I"+stem)
	}
	var found []typed
	for _, name := range slices.Compact(names) {
		for _, t := range c.types[name] {
			if t.contract {
				found = append(found, t)
			}
		}
	}
	return found
}
