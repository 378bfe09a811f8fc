// Validate says what the CDI library makes of spec folders: a JSON request a line in, a JSON answer a line out.
//
// It is built once for each version of the library that a containerd links, with the module files beside it:
// go build -modfile=containerd-2.1.4.mod
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"tags.cncf.io/container-device-interface/pkg/cdi"
)

type request struct {
	Folders []string          `json:"folders"`
	Files   map[string]string `json:"files"`
}

type answer struct {
	// By file: "" for a spec that is accepted, else the error.
	Specs   map[string]string `json:"specs"`
	Panics  []string          `json:"panics"`
	Devices map[string]string `json:"devices"`
	Failed  string            `json:"failed"`
}

func main() {
	root, err := os.MkdirTemp("", "cdi")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for number := 0; lines.Scan(); number++ {
		var asked request
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		place := filepath.Join(root, fmt.Sprint(number))
		if err := out.Encode(look(place, asked)); err != nil {
			panic(err)
		}
		os.RemoveAll(place)
	}
}

func look(root string, asked request) answer {
	found := answer{Specs: map[string]string{}, Panics: []string{}, Devices: map[string]string{}}
	for path, text := range asked.Files {
		write(filepath.Join(root, path), text)
	}
	for path := range asked.Files {
		problem, panicked := guarded(func() error {
			_, err := cdi.ReadSpec(filepath.Join(root, path), 0)
			return err
		})
		found.Specs[path] = strings.ReplaceAll(problem, root, "")
		if panicked {
			found.Panics = append(found.Panics, path)
		}
	}
	sort.Strings(found.Panics)
	found.Failed, _ = guarded(func() error {
		var folders []string
		for _, folder := range asked.Folders {
			folders = append(folders, filepath.Join(root, folder))
		}
		cache, err := cdi.NewCache(cdi.WithSpecDirs(folders...), cdi.WithAutoRefresh(false))
		if err != nil {
			return err
		}
		for _, name := range cache.ListDevices() {
			found.Devices[name] = strings.TrimPrefix(cache.GetDevice(name).GetSpec().GetPath(), root)
		}
		return nil
	})
	return found
}

func write(path, text string) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		panic(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		panic(err)
	}
}

func guarded(work func() error) (problem string, panicked bool) {
	defer func() {
		if r := recover(); r != nil {
			problem, panicked = fmt.Sprint("panic: ", r), true
		}
	}()
	if err := work(); err != nil {
		return err.Error(), false
	}
	return "", false
}
