// Command strategicpatch works out strategic merge patches with Kubernetes' own library, for the recorded cases
// that test_strategic_merge.py compares with. It reads one case a line (apiVersion, kind, old, new, live) and writes
// it back with what the library makes of it: patch and after, or error, or applyError.
//
//	zcat ../fixtures/strategic_merge_cases.jsonl.gz | go run . | gzip -n > new.jsonl.gz
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

type testCase struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Old        json.RawMessage `json:"old"`
	New        json.RawMessage `json:"new"`
	Live       json.RawMessage `json:"live"`
	Patch      json.RawMessage `json:"patch,omitempty"`
	After      json.RawMessage `json:"after,omitempty"`
	Error      string          `json:"error,omitempty"`
	ApplyError string          `json:"applyError,omitempty"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<24), 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var one testCase
		must(json.Unmarshal(lines.Bytes(), &one))
		one.Patch, one.After, one.Error, one.ApplyError = nil, nil, "", ""
		work(&one)
		must(out.Encode(one))
	}
	must(lines.Err())
}

func work(one *testCase) {
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(one.APIVersion, one.Kind))
	must(err)
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	must(err)
	one.Patch, err = strategicpatch.CreateThreeWayMergePatch(one.Old, one.New, one.Live, meta, true)
	if err != nil {
		one.Error = err.Error()
		return
	}
	one.After, err = strategicpatch.StrategicMergePatch(one.Live, one.Patch, object)
	if err != nil {
		one.ApplyError = err.Error()
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
