// Command merge_keys writes helmguard/data/merge_keys.json: how lists and maps of the built-in kinds are merged.
//
//	go run . -openapi DIR -server VERSION > helmguard/data/merge_keys.json
//
// It joins two sources:
//   - the Go struct tags of the API types that Helm 3.22.0 and 4.3.1 compile in (k8s.io/* 0.37.1: client-go's
//     scheme plus apiextensions), by reflection: what a strategic merge patch goes by;
//   - the OpenAPI v3 documents of an API server (one file a group version, as `kubectl get --raw` gives them, or
//     the ones under api/openapi-spec/v3 of k8s.io/kubernetes): what server-side apply goes by.
//
// The format is described in the "about" field of the output.
package main

import (
	"encoding/json"
	"flag"
	"os"
	"sort"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/client-go/kubernetes/scheme"
)

const about = "How the fields of built-in kinds are merged and stored. Written by tools/generate/merge_keys, never by " +
	"hand. gvk[apiVersion/kind] names a type; types[T][field]: smp (patch strategy) and key (patch merge key) from the " +
	"Go struct tags of k8s.io/api and apiextensions 0.37.1 (what Helm 3.22.0 and 4.3.1 compile in); list " +
	"(set|map|atomic), keys, map (atomic) and items (atomic: list items are atomic structs) from the OpenAPI v3 of the " +
	"API server; ref the type of the value, or of items when c is list, or of values when c is map; t the scalar (or " +
	"item, or value) type: string bool int float bytes quantity intstr time any; p: the field is a pointer, so an " +
	"explicit zero is kept; keep: the field is written even when empty; d: the default that the OpenAPI states, which completes list keys; src: compiled (unknown to the server) or " +
	"server (unknown to Helm's compiled types). compiled lists the kinds in Helm's compiled scheme, cluster the server's kinds that live outside namespaces."

// Field is one field of a type; see about.
type Field struct {
	SMP    string   `json:"smp,omitempty"`
	Key    string   `json:"key,omitempty"`
	List   string   `json:"list,omitempty"`
	Keys   []string `json:"keys,omitempty"`
	Map    string   `json:"map,omitempty"`
	Items  string   `json:"items,omitempty"`
	Ref    string   `json:"ref,omitempty"`
	C      string   `json:"c,omitempty"`
	Type   string   `json:"t,omitempty"`
	Ptr    bool     `json:"p,omitempty"`
	Keep   bool     `json:"keep,omitempty"`
	Source string   `json:"src,omitempty"`
	// Default is a default that OpenAPI states; server-side apply completes list keys by it.
	Default json.RawMessage `json:"d,omitempty"`
}

// Table is the whole output.
type Table struct {
	About    string            `json:"about"`
	Server   string            `json:"server"`
	GVK      map[string]string `json:"gvk"`
	Compiled []string          `json:"compiled"`
	// Cluster are the server's kinds that live outside namespaces.
	Cluster []string                     `json:"cluster"`
	Types   map[string]map[string]*Field `json:"types"`
}

func main() {
	openapi := flag.String("openapi", "", "folder of OpenAPI v3 documents")
	server := flag.String("server", "", "version of the API server that the documents are from")
	flag.Parse()
	must(apiextensionsv1.AddToScheme(scheme.Scheme))
	must(apiextensionsv1beta1.AddToScheme(scheme.Scheme))
	table := &Table{About: about, Server: *server, GVK: map[string]string{}, Types: map[string]map[string]*Field{}}
	readCompiledTypes(table)
	for gvk := range table.GVK {
		table.Compiled = append(table.Compiled, gvk)
	}
	sort.Strings(table.Compiled)
	joinServerTypes(table, *openapi)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(table))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
