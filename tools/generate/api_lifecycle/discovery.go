package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// readDiscovery notes which kinds the server of a k8s.io/kubernetes module serves, by default or when asked to
// (--runtime-config), and what their collections are called.
func readDiscovery(from module, kinds map[key]*Kind) {
	byDefault := defaultVersions(from)
	files, err := filepath.Glob(filepath.Join(from.folder, "api", "discovery", "api*__v*.json"))
	must(err)
	for _, file := range files {
		var document struct {
			GroupVersion string
			Resources    []struct {
				Name, Kind, Group, Version string
				Namespaced                 bool
			}
		}
		content, err := os.ReadFile(file)
		must(err)
		must(json.Unmarshal(content, &document))
		for _, resource := range document.Resources {
			groupVersion := document.GroupVersion
			if resource.Version != "" {
				groupVersion = strings.TrimPrefix(resource.Group+"/"+resource.Version, "/")
			}
			group, version, hasGroup := strings.Cut(groupVersion, "/")
			if !hasGroup {
				group, version = "", groupVersion
			}
			kind := kinds[key{group, version, resource.Kind}]
			if kind == nil {
				continue
			}
			if byDefault[document.GroupVersion] {
				kind.Served = "default"
			} else if kind.Served == "no" {
				kind.Served = "on-request"
			}
			if strings.Contains(resource.Name, "/") {
				continue
			}
			if kind.Plural != resource.Name {
				must(fmt.Errorf("%s %s: the plural is %s, not %s", groupVersion, kind.Kind, resource.Name, kind.Plural))
			}
			namespaced := resource.Namespaced
			kind.Namespaced = &namespaced
		}
	}
}

// defaultVersions are the group versions in the lists of pkg/controlplane/instance.go that are on by default, and
// those of the two servers behind it, which have only one each.
func defaultVersions(from module) map[string]bool {
	file := parse(filepath.Join(from.folder, "pkg", "controlplane", "instance.go"))
	imported := map[string]string{}
	for _, one := range file.Imports {
		path, err := strconv.Unquote(one.Path.Value)
		must(err)
		if one.Name != nil {
			imported[one.Name.Name] = path
		}
	}
	found := map[string]bool{"apiextensions.k8s.io/v1": true, "apiregistration.k8s.io/v1": true}
	ast.Inspect(file, func(node ast.Node) bool {
		list, ok := node.(*ast.ValueSpec)
		if !ok || !strings.HasSuffix(strings.ToLower(list.Names[0].Name), "stableapigroupversionsenabledbydefault") {
			return true
		}
		for _, element := range list.Values[0].(*ast.CompositeLit).Elts {
			alias := element.(*ast.SelectorExpr).X.(*ast.Ident).Name
			found[groupVersionOf(from, imported[alias])] = true
		}
		return true
	})
	return found
}

// groupVersionOf reads the register.go of a package of the module itself, or of k8s.io/api of the same release.
func groupVersionOf(from module, importPath string) string {
	folder := filepath.Join(filepath.Dir(from.folder), "api@v0"+strings.TrimPrefix(from.version, "v1"))
	inside, ok := strings.CutPrefix(importPath, kubernetesModule+"/")
	if ok {
		folder = from.folder
	} else {
		inside = strings.TrimPrefix(importPath, "k8s.io/api/")
	}
	group, version, _ := readRegister(parse(filepath.Join(folder, inside, "register.go")))
	return strings.TrimPrefix(group+"/"+version, "/")
}
