package main

import (
	"path"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// leafTypes are structs that travel as one JSON value.
var leafTypes = map[string]string{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                 "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":               "intstr",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                     "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                 "string",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                 "any",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                  "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON": "any",
}

var objectMeta = reflect.TypeOf(metav1.ObjectMeta{})

// readCompiledTypes fills the table with every kind of the scheme that has metadata.
func readCompiledTypes(table *Table) {
	for gvk, goType := range scheme.Scheme.AllKnownTypes() {
		meta, found := goType.FieldByName("ObjectMeta")
		if !found || meta.Type != objectMeta || gvk.Version == "__internal" {
			continue
		}
		apiVersion, kind := gvk.ToAPIVersionAndKind()
		table.GVK[apiVersion+"/"+kind] = typeName(goType)
		addType(table, goType)
	}
}

// typeName is the last folder of the package's group and its version: core/v1.Pod.
func typeName(goType reflect.Type) string {
	folder, version := path.Split(goType.PkgPath())
	return path.Base(folder) + "/" + version + "." + goType.Name()
}

func addType(table *Table, goType reflect.Type) {
	name := typeName(goType)
	if _, done := table.Types[name]; done {
		return
	}
	fields := map[string]*Field{}
	table.Types[name] = fields
	addFields(table, goType, fields)
}

func addFields(table *Table, goType reflect.Type, fields map[string]*Field) {
	for i := range goType.NumField() {
		field := goType.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		if name == "" {
			if inner := deref(field.Type); inner.Kind() == reflect.Struct && field.Anonymous {
				addFields(table, inner, fields)
			}
			continue
		}
		fields[name] = describe(table, field, options)
	}
}

func describe(table *Table, field reflect.StructField, options string) *Field {
	described := &Field{SMP: field.Tag.Get("patchStrategy"), Key: field.Tag.Get("patchMergeKey")}
	omits := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
	goType := field.Type
	if goType.Kind() == reflect.Pointer {
		described.Ptr = true
		goType = goType.Elem()
	}
	isStruct := goType.Kind() == reflect.Struct && leafTypes[fullName(goType)] == ""
	described.Keep = !omits || (isStruct && !described.Ptr && !strings.Contains(options, "omitzero"))
	switch {
	case goType.Kind() == reflect.Slice && goType.Elem().Kind() == reflect.Uint8 && leafTypes[fullName(goType)] == "":
		described.Type = "bytes"
	case goType.Kind() == reflect.Slice && leafTypes[fullName(goType)] == "":
		described.C = "list"
		setValue(table, described, goType.Elem())
	case goType.Kind() == reflect.Map:
		described.C = "map"
		setValue(table, described, goType.Elem())
	default:
		setValue(table, described, goType)
	}
	return described
}

// setValue records the type of the value, or of the list's items or the map's values.
func setValue(table *Table, described *Field, goType reflect.Type) {
	goType = deref(goType)
	if leaf := leafTypes[fullName(goType)]; leaf != "" {
		described.Type = leaf
		return
	}
	switch goType.Kind() {
	case reflect.Struct:
		if name, ok := wrappers[goType.Name()]; ok {
			described.Type = name
			return
		}
		described.Ref = typeName(goType)
		addType(table, goType)
	case reflect.String:
		described.Type = "string"
	case reflect.Bool:
		described.Type = "bool"
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		described.Type = "int"
	case reflect.Float32, reflect.Float64:
		described.Type = "float"
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			described.Type = "bytes"
		} else {
			described.Type = "any"
		}
	default:
		described.Type = "any"
	}
}

// wrappers are the CRD types that stand for "this or that" and have their own JSON form.
var wrappers = map[string]string{
	"JSONSchemaPropsOrArray":       "any",
	"JSONSchemaPropsOrBool":        "any",
	"JSONSchemaPropsOrStringArray": "any",
	"JSON":                         "any",
}

func deref(goType reflect.Type) reflect.Type {
	if goType.Kind() == reflect.Pointer {
		return goType.Elem()
	}
	return goType
}

func fullName(goType reflect.Type) string { return goType.PkgPath() + "." + goType.Name() }
