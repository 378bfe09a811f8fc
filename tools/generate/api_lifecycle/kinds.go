package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// readKinds reads every package of a module that registers kinds of one group and version.
func readKinds(from module) map[key]*Kind {
	kinds := map[key]*Kind{}
	must(filepath.WalkDir(from.folder, func(path string, entry fs.DirEntry, err error) error {
		must(err)
		if entry.IsDir() && (entry.Name() == "test" || entry.Name() == "testdata" || entry.Name() == "examples") {
			return filepath.SkipDir
		}
		if entry.Name() == "register.go" {
			readPackage(from, filepath.Dir(path), kinds)
		}
		return nil
	}))
	return kinds
}

func readPackage(from module, folder string, kinds map[key]*Kind) {
	group, version, registered := readRegister(parse(filepath.Join(folder, "register.go")))
	if version == "" || !strings.HasPrefix(version, "v") {
		return
	}
	types := map[string]*goType{}
	files, err := filepath.Glob(filepath.Join(folder, "*types*.go"))
	must(err)
	for _, file := range files {
		readTypes(file, types)
	}
	lifecycles := readLifecycles(filepath.Join(folder, "zz_generated.prerelease-lifecycle.go"))
	for _, name := range registered {
		described := types[name]
		if described == nil || !described.hasMetadata {
			continue
		}
		kind := &Kind{Group: group, Version: version, Kind: name, Served: "no", Source: from.String()}
		kind.Plural = plural(name)
		if described.hasClient {
			namespaced := !described.clusterScoped
			kind.Namespaced = &namespaced
		}
		if lifecycle := lifecycles[name]; lifecycle != nil {
			kind.Introduced, kind.Deprecated = lifecycle.introduced, lifecycle.deprecated
			kind.Removed, kind.Replacement = lifecycle.removed, lifecycle.replacement
		}
		if kind.Introduced == nil {
			kind.Introduced = described.introduced
		}
		if kind.Deprecated == nil {
			kind.Deprecated, kind.useInstead = described.deprecated, described.useInstead
		}
		kinds[key{group, version, name}] = kind
	}
}

// readRegister finds the constant GroupName, the Version of SchemeGroupVersion, and the registered types.
func readRegister(file *ast.File) (group, version string, registered []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.ValueSpec:
			if len(node.Names) == 1 && node.Names[0].Name == "GroupName" && len(node.Values) == 1 {
				group = text(node.Values[0])
			}
			if len(node.Names) == 1 && node.Names[0].Name == "SchemeGroupVersion" && len(node.Values) == 1 {
				version = fieldText(node.Values[0], "Version")
			}
		case *ast.CallExpr:
			if method, ok := node.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "AddKnownTypes" {
				for _, argument := range node.Args {
					if name := typeOf(argument); name != "" {
						registered = append(registered, name)
					}
				}
			}
		}
		return true
	})
	return group, version, registered
}

// typeOf is X of the expression &X{}, for types of the package itself.
func typeOf(expression ast.Expr) string {
	address, ok := expression.(*ast.UnaryExpr)
	if !ok {
		return ""
	}
	if literal, ok := address.X.(*ast.CompositeLit); ok {
		if name, ok := literal.Type.(*ast.Ident); ok {
			return name.Name
		}
	}
	return ""
}

// goType is what the comments above a struct tell of it.
type goType struct {
	hasMetadata, hasClient, clusterScoped bool
	introduced, deprecated                *string
	// useInstead is the Go name of what to use instead: package and version, and the type.
	useInstead []string
}

var (
	introducedMarker = regexp.MustCompile(`\+k8s:prerelease-lifecycle-gen:introduced=(\d+\.\d+)`)
	// The two stable kinds that are deprecated without an end say so in words only.
	deprecatedWords = regexp.MustCompile(`Deprecated: This API is deprecated in v(\d+\.\d+)\+`)
	useInsteadWords = regexp.MustCompile(`Use ([a-z]+)(v\d\w*)\.(\w+)`)
)

// readTypes reads which structs have ObjectMeta, and the client generator's markers above them.
func readTypes(path string, types map[string]*goType) {
	file := parse(path)
	before := file.Name.End()
	for _, declaration := range file.Decls {
		general, ok := declaration.(*ast.GenDecl)
		if ok && general.Tok == token.TYPE {
			for _, spec := range general.Specs {
				named := spec.(*ast.TypeSpec)
				structure, isStruct := named.Type.(*ast.StructType)
				if !isStruct {
					continue
				}
				described := &goType{hasMetadata: embeds(structure, "ObjectMeta")}
				for _, comment := range file.Comments {
					if comment.Pos() > before && comment.End() <= named.Pos() {
						readMarkers(comment, described)
					}
				}
				types[named.Name.Name] = described
			}
		}
		before = declaration.End()
	}
}

func readMarkers(comments *ast.CommentGroup, described *goType) {
	for _, comment := range comments.List {
		switch strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")) {
		case "+genclient":
			described.hasClient = true
		case "+genclient:nonNamespaced":
			described.clusterScoped = true
		}
		if match := introducedMarker.FindStringSubmatch(comment.Text); match != nil {
			described.introduced = &match[1]
		}
		if match := deprecatedWords.FindStringSubmatch(comment.Text); match != nil {
			described.deprecated = &match[1]
			described.useInstead = useInsteadWords.FindStringSubmatch(comment.Text)
		}
	}
}

func embeds(structure *ast.StructType, name string) bool {
	for _, field := range structure.Fields.List {
		if selector, ok := field.Type.(*ast.SelectorExpr); ok && len(field.Names) == 0 && selector.Sel.Name == name {
			return true
		}
	}
	return false
}

type lifecycle struct {
	introduced, deprecated, removed *string
	replacement                     *Replacement
}

// readLifecycles reads what the methods return; there is no such file before release 1.19.
func readLifecycles(path string) map[string]*lifecycle {
	found := map[string]*lifecycle{}
	if _, err := os.Stat(path); err != nil {
		return found
	}
	for _, declaration := range parse(path).Decls {
		method, ok := declaration.(*ast.FuncDecl)
		if !ok || method.Recv == nil {
			continue
		}
		kind := method.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name
		if found[kind] == nil {
			found[kind] = &lifecycle{}
		}
		values := method.Body.List[0].(*ast.ReturnStmt).Results
		switch method.Name.Name {
		case "APILifecycleIntroduced":
			found[kind].introduced = release(values)
		case "APILifecycleDeprecated":
			found[kind].deprecated = release(values)
		case "APILifecycleRemoved":
			found[kind].removed = release(values)
		case "APILifecycleReplacement":
			found[kind].replacement = replacementOf(kind, values[0])
		}
	}
	return found
}

func release(values []ast.Expr) *string {
	joined := values[0].(*ast.BasicLit).Value + "." + values[1].(*ast.BasicLit).Value
	return &joined
}

// replacementOf reads schema.GroupVersionKind{...}. Upstream names IngressClassList as what replaces the kind
// IngressClass (networking/v1beta1); a list never replaces an object, so the object's kind is meant.
func replacementOf(kind string, value ast.Expr) *Replacement {
	replacement := &Replacement{fieldText(value, "Group"), fieldText(value, "Version"), fieldText(value, "Kind")}
	if !strings.HasSuffix(kind, "List") {
		replacement.Kind = strings.TrimSuffix(replacement.Kind, "List")
	}
	return replacement
}

// fieldText is the string that a composite literal gives to a field.
func fieldText(expression ast.Expr, name string) string {
	literal, ok := expression.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	for _, element := range literal.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok && pair.Key.(*ast.Ident).Name == name {
			return text(pair.Value)
		}
	}
	return ""
}

func text(expression ast.Expr) string {
	literal, ok := expression.(*ast.BasicLit)
	if !ok {
		return ""
	}
	value, err := strconv.Unquote(literal.Value)
	must(err)
	return value
}

func parse(path string) *ast.File {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	must(err)
	return file
}

// plural is how the API names the collection; readDiscovery checks it where a document tells.
func plural(kind string) string {
	name := strings.ToLower(kind)
	switch {
	case strings.HasSuffix(name, "endpoints"):
		return name
	case strings.HasSuffix(name, "s"):
		return name + "es"
	case strings.HasSuffix(name, "y"):
		return strings.TrimSuffix(name, "y") + "ies"
	}
	return name + "s"
}
