package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const kubernetesModule = "k8s.io/kubernetes"

// module is one pinned source and the folder that holds it.
type module struct {
	name, version string
	// release is the Kubernetes release it belongs to, as in 1.25.
	release string
	folder  string
}

func (m module) String() string { return m.name + "@" + m.version }

// download brings every module that the file lists into Go's module cache, in the file's order. Each line is
// module@version and the checksum that it must have.
func download(file string) []module {
	content, err := os.ReadFile(file)
	must(err)
	var wanted []string
	sums := map[string]string{}
	for _, line := range strings.Split(string(content), "\n") {
		if words := strings.Fields(line); len(words) == 2 && words[0] != "#" {
			wanted = append(wanted, words[0])
			sums[words[0]] = words[1]
		}
	}
	folders := map[string]string{}
	command := exec.Command("go", append([]string{"mod", "download", "-json"}, wanted...)...)
	command.Dir = os.TempDir()
	// Outside any module: one go.mod cannot name a module twice.
	command.Env = append(os.Environ(), "GO111MODULE=on", "GOFLAGS=", "GOWORK=off")
	command.Stderr = os.Stderr
	answer, err := command.Output()
	must(err)
	for decoder := json.NewDecoder(bytes.NewReader(answer)); decoder.More(); {
		var got struct{ Path, Version, Dir, Sum, Error string }
		must(decoder.Decode(&got))
		name := got.Path + "@" + got.Version
		if got.Error != "" || got.Sum != sums[name] {
			must(fmt.Errorf("%s: checksum %q, wanted %q %s", name, got.Sum, sums[name], got.Error))
		}
		folders[name] = got.Dir
	}
	modules := make([]module, 0, len(wanted))
	for _, one := range wanted {
		name, version, _ := strings.Cut(one, "@")
		minor := strings.Split(version, ".")[1]
		modules = append(modules, module{name, version, "1." + minor, folders[one]})
	}
	return modules
}
