// Package serve is what the loaders of every containerd version share: a root file system of their own, and one
// answer for each configuration.
//
// A configuration names absolute paths, and the loaders read the real file system. So the program changes its root
// to an empty folder, where each case's files then lie at the very paths that the configuration names. That needs
// CAP_SYS_CHROOT, which a user namespace of its own gives where the program does not have it.
package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"syscall"
)

// Config is where every case has its main file.
const Config = "/etc/containerd/config.toml"

// Case is a line on standard input: the files of one node by their paths.
type Case struct {
	ID    string            `json:"id"`
	Files map[string]string `json:"files"`
}

// Truth is a line on standard output: what containerd makes of a case.
type Truth struct {
	ID                 string              `json:"id"`
	Daemon             string              `json:"daemon"`
	DaemonError        string              `json:"daemon_error,omitempty"`
	CRI                string              `json:"cri"`
	CRIError           string              `json:"cri_error,omitempty"`
	ImageError         string              `json:"image_error,omitempty"`
	Runtimes           map[string]*Runtime `json:"runtimes,omitempty"`
	DefaultRuntimeName string              `json:"default_runtime_name,omitempty"`
	EnableCDI          *bool               `json:"enable_cdi,omitempty"`
	CDISpecDirs        []string            `json:"cdi_spec_dirs,omitempty"`
	RegistryConfigPath string              `json:"registry_config_path"`
	RegistryMirrors    map[string][]string `json:"registry_mirrors,omitempty"`
	SandboxImage       string              `json:"sandbox_image,omitempty"`
	DisabledPlugins    []string            `json:"disabled_plugins,omitempty"`
}

// Runtime is one runtime of a Truth.
type Runtime struct {
	Type          string         `json:"type"`
	Path          string         `json:"path,omitempty"`
	BinaryName    any            `json:"BinaryName"`
	SystemdCgroup any            `json:"SystemdCgroup"`
	OtherOptions  map[string]any `json:"other_options,omitempty"`
	Other         map[string]any `json:"other,omitempty"`
	OptionsError  string         `json:"options_error,omitempty"`
}

// Main runs `loader ROOT` (cases on standard input, truths on standard output) or `command ROOT ARGUMENT...`
// (containerd's own command line) with the folder ROOT as the root file system.
func Main(load func(*Truth), command func(arguments []string) error) {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: %s loader|command ROOT [ARGUMENT...]", os.Args[0]))
	}
	enter(os.Args[2])
	if os.Args[1] == "command" {
		if err := command(append([]string{"containerd"}, os.Args[3:]...)); err != nil {
			fail(err)
		}
		return
	}
	cases := bufio.NewScanner(os.Stdin)
	cases.Buffer(make([]byte, 1<<20), 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for cases.Scan() {
		var one Case
		must(json.Unmarshal(cases.Bytes(), &one))
		lay(one.Files)
		truth := Truth{ID: one.ID}
		guarded(load, &truth)
		must(out.Encode(truth))
	}
	must(cases.Err())
}

// guarded loads; a panic ends a real daemon, so that it counts as its refusal.
func guarded(load func(*Truth), truth *Truth) {
	defer func() {
		if reason := recover(); reason != nil {
			*truth = Truth{ID: truth.ID}
			truth.Refuse(fmt.Errorf("panic: %v", reason))
		}
	}()
	load(truth)
}

// Failure is why something that does not stop the daemon cannot be read, panics of the TOML reader included.
func Failure(check func() error) (why string) {
	defer func() {
		if reason := recover(); reason != nil {
			why = fmt.Sprintf("panic: %v", reason)
		}
	}()
	if err := check(); err != nil {
		return err.Error()
	}
	return ""
}

// Refuse says that the daemon does not start.
func (truth *Truth) Refuse(err error) {
	truth.Daemon, truth.DaemonError = "refuses", err.Error()
}

// Options splits a runtime's options into those of their own and the rest.
func (runtime *Runtime) Options(options map[string]any) {
	for name, value := range options {
		_, isText := value.(string)
		_, isSwitch := value.(bool)
		switch {
		case name == "BinaryName" && isText:
			runtime.BinaryName = value
		case name == "SystemdCgroup" && isSwitch:
			runtime.SystemdCgroup = value
		case name == "BinaryName":
			runtime.BinaryName = plain(value)
		case name == "SystemdCgroup":
			runtime.SystemdCgroup = plain(value)
		case !isZero(value):
			put(&runtime.OtherOptions, name, plain(value))
		}
	}
}

// Fields puts every other field of containerd's runtime that is set under its name in TOML.
func (runtime *Runtime) Fields(settings any, known ...string) {
	value := reflect.ValueOf(settings)
	for i := range value.NumField() {
		name := value.Type().Field(i).Tag.Get("toml")
		field := value.Field(i)
		if name == "sandbox_mode" {
			name = "sandboxer"
		}
		if !contains(known, name) && !isZero(field.Interface()) &&
			!(name == "sandboxer" && field.String() == "podsandbox") {
			put(&runtime.Other, name, plain(field.Interface()))
		}
	}
}

func put(target *map[string]any, name string, value any) {
	if *target == nil {
		*target = map[string]any{}
	}
	(*target)[name] = value
}

func contains(names []string, name string) bool {
	for _, one := range names {
		if one == name {
			return true
		}
	}
	return false
}

func isZero(value any) bool {
	held := reflect.ValueOf(value)
	switch held.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Slice, reflect.Map:
		return held.Len() == 0
	}
	return held.IsZero()
}

// plain is a value that JSON can hold: infinities and the like become text.
func plain(value any) any {
	if _, err := json.Marshal(value); err != nil {
		return fmt.Sprint(value)
	}
	return value
}

// lay empties the root and writes the files; a path that ends with a slash is an empty folder.
func lay(files map[string]string) {
	entries, err := os.ReadDir("/")
	must(err)
	for _, entry := range entries {
		must(os.RemoveAll("/" + entry.Name()))
	}
	for path, text := range files {
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		if path[len(path)-1] != '/' {
			must(os.WriteFile(path, []byte(text), 0o644))
		}
	}
}

// enter makes a folder this program's root.
func enter(folder string) {
	const again = "HELMGUARD_LOADER_IN_NAMESPACE"
	err := syscall.Chroot(folder)
	if err == syscall.EPERM && os.Getenv(again) == "" {
		os.Exit(inNamespace(again + "=1"))
	}
	must(err)
	must(os.Chdir("/"))
}

func inNamespace(mark string) int {
	self, err := os.Executable()
	must(err)
	run := exec.Command(self, os.Args[1:]...)
	run.Stdin, run.Stdout, run.Stderr = os.Stdin, os.Stdout, os.Stderr
	run.Env = append(os.Environ(), mark)
	run.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	err = run.Run()
	if _, ended := err.(*exec.ExitError); !ended {
		must(err)
	}
	return run.ProcessState.ExitCode()
}

func must(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintf(os.Stderr, "containerd: %s\n", err)
	os.Exit(1)
}
