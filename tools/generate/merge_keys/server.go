package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// schema is the part of an OpenAPI v3 schema that merging goes by.
type schema struct {
	Ref        string                                  `json:"$ref"`
	Type       string                                  `json:"type"`
	Format     string                                  `json:"format"`
	AllOf      []*schema                               `json:"allOf"`
	OneOf      []*schema                               `json:"oneOf"`
	Items      *schema                                 `json:"items"`
	Additional json.RawMessage                         `json:"additionalProperties"`
	Properties map[string]*schema                      `json:"properties"`
	Default    json.RawMessage                         `json:"default"`
	ListType   string                                  `json:"x-kubernetes-list-type"`
	ListKeys   []string                                `json:"x-kubernetes-list-map-keys"`
	MapType    string                                  `json:"x-kubernetes-map-type"`
	GVKs       []struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
}

func joinServerTypes(table *Table, folder string) {
	if folder == "" {
		return
	}
	components := readComponents(folder)
	readScopes(table, folder)
	for component, described := range components {
		name := componentTypeName(component)
		if len(described.Properties) == 0 {
			continue
		}
		fields, known := table.Types[name]
		if !known {
			fields = map[string]*Field{}
			table.Types[name] = fields
		}
		for fieldName, fieldSchema := range described.Properties {
			field, knownField := fields[fieldName]
			if !knownField {
				field = serverOnlyField(fieldSchema, components)
				fields[fieldName] = field
			}
			setServerSide(field, fieldSchema, components)
		}
		if known {
			markCompiledOnly(fields, described)
		}
		addServerKinds(table, name, described)
	}
	dropUnreachable(table)
}

// readScopes lists the kinds that are created outside namespaces, by the paths of their POST requests.
func readScopes(table *Table, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	must(err)
	cluster := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(err)
		var document struct {
			Paths map[string]struct {
				Post *struct {
					GVK struct{ Group, Version, Kind string } `json:"x-kubernetes-group-version-kind"`
				} `json:"post"`
			} `json:"paths"`
		}
		must(json.Unmarshal(content, &document))
		for path, item := range document.Paths {
			if item.Post != nil && item.Post.GVK.Kind != "" && !strings.Contains(path, "{") {
				cluster[apiVersion(item.Post.GVK.Group, item.Post.GVK.Version)+"/"+item.Post.GVK.Kind] = true
			}
		}
		for path, item := range document.Paths {
			if item.Post != nil && strings.Contains(path, "{namespace}") {
				delete(cluster, apiVersion(item.Post.GVK.Group, item.Post.GVK.Version)+"/"+item.Post.GVK.Kind)
			}
		}
	}
	for gvk := range cluster {
		table.Cluster = append(table.Cluster, gvk)
	}
	sort.Strings(table.Cluster)
}

func apiVersion(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

func readComponents(folder string) map[string]*schema {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	must(err)
	components := map[string]*schema{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(err)
		var document struct {
			Components struct {
				Schemas map[string]*schema `json:"schemas"`
			} `json:"components"`
		}
		must(json.Unmarshal(content, &document))
		for name, component := range document.Components.Schemas {
			components[name] = component
		}
	}
	return components
}

// componentTypeName maps io.k8s.api.core.v1.Pod to core/v1.Pod, as typeName names the Go type.
func componentTypeName(component string) string {
	parts := strings.Split(component, ".")
	if len(parts) < 3 {
		return component
	}
	n := len(parts)
	return parts[n-3] + "/" + parts[n-2] + "." + parts[n-1]
}

func setServerSide(field *Field, described *schema, components map[string]*schema) {
	described, target := resolve(described, components)
	if described.Type == "array" {
		field.List = described.ListType
		field.Keys = described.ListKeys
		if field.List == "" {
			field.List = "atomic"
		}
		if described.Items != nil {
			items, itemTarget := resolve(described.Items, components)
			if items.MapType == "atomic" || (itemTarget != nil && itemTarget.MapType == "atomic") {
				field.Items = "atomic"
			}
		}
		return
	}
	if described.MapType == "atomic" || (described.MapType == "" && target != nil && target.MapType == "atomic") {
		field.Map = "atomic"
	}
	if len(described.Default) > 0 && described.Default[0] == '"' && string(described.Default) != `""` {
		field.Default = described.Default
	}
}

// resolve returns the schema as written at the field and the component it refers to, if any.
func resolve(described *schema, components map[string]*schema) (*schema, *schema) {
	ref := described.Ref
	if ref == "" && len(described.AllOf) == 1 {
		ref = described.AllOf[0].Ref
	}
	if ref == "" {
		return described, nil
	}
	target := components[strings.TrimPrefix(ref, "#/components/schemas/")]
	if target == nil {
		return described, nil
	}
	if described.Type == "" && target.Type != "object" {
		return target, target
	}
	return described, target
}

func serverOnlyField(described *schema, components map[string]*schema) *Field {
	field := &Field{Source: "server", Ptr: true}
	value := described
	if described.Type == "array" && described.Items != nil {
		field.C, value = "list", described.Items
	} else if described.Type == "object" && len(described.Additional) > 0 && described.Additional[0] == '{' {
		field.C, value = "map", &schema{}
		must(json.Unmarshal(described.Additional, value))
	}
	setServerValue(field, value, components)
	return field
}

func setServerValue(field *Field, value *schema, components map[string]*schema) {
	ref := value.Ref
	if ref == "" && len(value.AllOf) == 1 {
		ref = value.AllOf[0].Ref
	}
	if ref != "" {
		component := strings.TrimPrefix(ref, "#/components/schemas/")
		if target := components[component]; target != nil && len(target.Properties) > 0 {
			field.Ref = componentTypeName(component)
			return
		} else if target != nil {
			value = target
		}
		switch {
		case strings.HasSuffix(component, ".Quantity"):
			field.Type = "quantity"
			return
		case strings.HasSuffix(component, ".IntOrString"):
			field.Type = "intstr"
			return
		case strings.HasSuffix(component, "Time"):
			field.Type = "time"
			return
		}
	}
	field.Type = map[string]string{"string": "string", "boolean": "bool", "integer": "int", "number": "float"}[value.Type]
	if value.Format == "byte" {
		field.Type = "bytes"
	}
	if field.Type == "" {
		field.Type = "any"
	}
}

func markCompiledOnly(fields map[string]*Field, described *schema) {
	for name, field := range fields {
		if _, served := described.Properties[name]; !served {
			field.Source = "compiled"
		}
	}
}

func addServerKinds(table *Table, name string, described *schema) {
	if _, isObject := described.Properties["metadata"]; !isObject || len(described.GVKs) != 1 {
		return
	}
	meta, _ := resolve(described.Properties["metadata"], nil)
	if ref := meta.Ref; ref != "" && !strings.HasSuffix(ref, "ObjectMeta") {
		return
	} else if len(meta.AllOf) == 1 && !strings.HasSuffix(meta.AllOf[0].Ref, "ObjectMeta") {
		return
	}
	gvk := described.GVKs[0]
	key := apiVersion(gvk.Group, gvk.Version) + "/" + gvk.Kind
	if _, known := table.GVK[key]; !known {
		table.GVK[key] = name
	}
}

// dropUnreachable removes the types that no kind leads to (responses, options, lists).
func dropUnreachable(table *Table) {
	reached := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		if reached[name] || table.Types[name] == nil {
			return
		}
		reached[name] = true
		for _, field := range table.Types[name] {
			if field.Ref != "" {
				walk(field.Ref)
			}
		}
	}
	for _, name := range table.GVK {
		walk(name)
	}
	for name := range table.Types {
		if !reached[name] {
			delete(table.Types, name)
		}
	}
}
