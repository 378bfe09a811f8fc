// Command api_lifecycle writes rules/data/api-lifecycle.json: when each built-in API kind came, is deprecated,
// and goes, and what takes its place.
//
//	go run . > ../../../rules/data/api-lifecycle.json
//
// It reads the Go modules that sources.txt pins, one of each minor release, as source text:
//   - the kinds that a package registers (register.go) and that have metadata,
//   - their APILifecycleIntroduced, -Deprecated, -Removed and -Replacement methods
//     (zz_generated.prerelease-lifecycle.go), or where there are none, the markers and words above the type,
//   - whether they live in namespaces (the +genclient:nonNamespaced marker),
//   - the discovery documents of a kube-apiserver with every API on, and which of them are on by default.
//
// The newest source that has a kind speaks for it. The format is described in docs/data-tables.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

const about = "When each built-in API kind was introduced, is deprecated and is removed, and what replaces it. " +
	"Written by tools/generate/api_lifecycle from the Go modules in its sources.txt, never by hand. " +
	"The fields are described in docs/data-tables.md."

// Kind is a built-in kind in one version of its group. Releases are written as in 1.25.
type Kind struct {
	Group       string       `json:"group"`
	Version     string       `json:"version"`
	Kind        string       `json:"kind"`
	Plural      string       `json:"plural"`
	Namespaced  *bool        `json:"namespaced"`
	Introduced  *string      `json:"introduced"`
	Deprecated  *string      `json:"deprecated"`
	Removed     *string      `json:"removed"`
	LeftSource  *string      `json:"left_source"`
	Replacement *Replacement `json:"replacement"`
	Served      string       `json:"served"`
	Source      string       `json:"source"`

	useInstead []string
}

// Replacement is the kind to use instead.
type Replacement struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
}

type key struct{ group, version, kind string }

func main() {
	modules := download("sources.txt")
	kinds := map[key]*Kind{}
	newest := map[string]string{}
	for _, module := range modules {
		if module.name == kubernetesModule {
			continue
		}
		newest[module.name] = module.release
		for found, kind := range readKinds(module) {
			kinds[found] = kind
		}
	}
	for _, kind := range kinds {
		kind.LeftSource = releaseAfter(modules, kind.Source)
		nameReplacement(kind, kinds)
	}
	readDiscovery(modules[len(modules)-1], kinds)
	write(modules, newest["k8s.io/api"], kinds)
}

// releaseAfter is the minor release that follows a source's, if there is a newer source of the same module: the
// first one whose source lacks the kind. The sources are in order, every minor release from the oldest on.
func releaseAfter(modules []module, source string) *string {
	for i, module := range modules {
		if module.String() == source && i+1 < len(modules) && modules[i+1].name == module.name {
			return &modules[i+1].release
		}
	}
	return nil
}

// nameReplacement finds the kind that a deprecation's words give by its Go name, as discoveryv1.EndpointSlice.
func nameReplacement(kind *Kind, kinds map[key]*Kind) {
	if len(kind.useInstead) == 0 || kind.Replacement != nil {
		return
	}
	folder, version, name := kind.useInstead[1], kind.useInstead[2], kind.useInstead[3]
	for found := range kinds {
		if found.version == version && found.kind == name && strings.HasPrefix(found.group, folder+".") {
			kind.Replacement = &Replacement{found.group, found.version, found.kind}
		}
	}
}

func write(modules []module, newest string, kinds map[key]*Kind) {
	rows := make([]*Kind, 0, len(kinds))
	for _, kind := range kinds {
		rows = append(rows, kind)
	}
	sort.Slice(rows, func(i, j int) bool {
		one, other := rows[i], rows[j]
		if one.Group != other.Group {
			return one.Group < other.Group
		}
		if one.Version != other.Version {
			return one.Version < other.Version
		}
		return one.Kind < other.Kind
	})
	sources := make([]string, 0, len(modules))
	for _, module := range modules {
		sources = append(sources, module.String())
	}
	out := bufio.NewWriter(os.Stdout)
	served := modules[len(modules)-1]
	fmt.Fprintf(out, "{\n\"about\": %s,\n\"newest_release\": %s,\n\"served_by\": %s,\n\"sources\": %s,\n\"kinds\": [\n",
		compact(about), compact(newest), compact(served.String()), compact(sources))
	for i, row := range rows {
		separator := ","
		if i == len(rows)-1 {
			separator = ""
		}
		fmt.Fprintf(out, "%s%s\n", compact(row), separator)
	}
	fmt.Fprint(out, "]\n}\n")
	must(out.Flush())
}

func compact(value any) string {
	text, err := json.Marshal(value)
	must(err)
	return string(text)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
