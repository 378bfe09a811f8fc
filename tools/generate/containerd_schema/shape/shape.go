// Package shape describes Go types and values by the names that TOML gives their fields.
package shape

import (
	"reflect"
	"strings"
)

// Of gives a scalar's kind ("string", "int", "bool", "uint32", "any"), {"fields": ...}, {"map": item} or {"list": item}.
func Of(t reflect.Type) any {
	switch t.Kind() {
	case reflect.Ptr:
		return Of(t.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		each(t, func(name string, field reflect.StructField, _ []int) { fields[name] = Of(field.Type) }, nil)
		return map[string]any{"fields": fields}
	case reflect.Map:
		return map[string]any{"map": Of(t.Elem())}
	case reflect.Slice:
		return map[string]any{"list": Of(t.Elem())}
	case reflect.Interface:
		return "any"
	}
	return t.Kind().String()
}

// Values gives a value without what is zero; what a map holds is given whole, and nil maps and lists are left out.
func Values(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Ptr, reflect.Interface:
		return Values(v.Elem())
	case reflect.Struct:
		found := map[string]any{}
		each(v.Type(), func(name string, _ reflect.StructField, path []int) {
			if value := v.FieldByIndex(path); !value.IsZero() {
				found[name] = Values(value)
			}
		}, nil)
		return found
	case reflect.Map:
		found := map[string]any{}
		for _, key := range v.MapKeys() {
			found[key.String()] = Values(v.MapIndex(key))
		}
		return found
	}
	return v.Interface()
}

func each(t reflect.Type, do func(string, reflect.StructField, []int), path []int) {
	for i := range t.NumField() {
		field, here := t.Field(i), append(append([]int{}, path...), i)
		name, _, _ := strings.Cut(field.Tag.Get("toml"), ",")
		switch {
		case name == "-" || (!field.Anonymous && field.PkgPath != ""):
		case name == "" && field.Anonymous:
			each(field.Type, do, here)
		case name == "":
			do(field.Name, field, here)
		default:
			do(name, field, here)
		}
	}
}
