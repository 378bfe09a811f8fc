// Command loader says what containerd 1.7 makes of configurations. See ../serve.
//
// It loads, decodes and checks as services/server.New does, with the CRI plugin's settings alone.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/containerd/containerd/cmd/containerd/command"
	cri "github.com/containerd/containerd/pkg/cri/config"
	generic "github.com/containerd/containerd/pkg/runtimeoptions/v1"
	"github.com/containerd/containerd/plugin"
	linux "github.com/containerd/containerd/runtime/linux/runctypes"
	runc "github.com/containerd/containerd/runtime/v2/runc/options"
	"github.com/containerd/containerd/services/server/config"
	"github.com/pelletier/go-toml"
	"github.com/sirupsen/logrus"
	"serve"
)

// The CRI plugin of 1.7 is one with the CRI server, which would double the build: its settings alone are registered,
// for the command line to decode and show.
func init() {
	settings := cri.DefaultConfig()
	plugin.Register(&plugin.Registration{Type: plugin.GRPCPlugin, ID: "cri", Config: &settings})
}

func main() {
	logrus.SetOutput(io.Discard)
	serve.Main(load, func(arguments []string) error { return command.App().Run(arguments) })
}

func load(truth *serve.Truth) {
	found := &config.Config{Version: 1}
	if _, err := os.Stat(serve.Config); err == nil {
		if err := config.LoadConfig(serve.Config, found); err != nil {
			truth.Refuse(err)
			return
		}
	}
	for _, text := range found.Timeouts {
		if _, err := time.ParseDuration(text); err != nil {
			truth.Refuse(fmt.Errorf("unable to parse %s into a time duration", text))
			return
		}
	}
	settings := cri.DefaultConfig()
	registration := &plugin.Registration{Type: plugin.GRPCPlugin, ID: "cri", Config: &settings}
	id, filter := registration.URI(), config.V2DisabledFilter
	if found.GetVersion() == 1 {
		id, filter = registration.ID, config.V1DisabledFilter
	}
	disabled := filter(found.DisabledPlugins)(registration)
	decode := func() error {
		_, err := found.Decode(registration)
		return err
	}
	if !disabled {
		if err := decode(); err != nil {
			truth.Refuse(err)
			return
		}
	} else if serve.Failure(decode) != "" {
		settings = cri.DefaultConfig()
	}
	truth.Daemon, truth.CRI = "starts", "ok"
	if disabled {
		truth.CRI = "disabled"
	} else if _, err := cri.ValidatePluginConfig(context.Background(), &settings); err != nil {
		truth.CRI, truth.CRIError = "fails", err.Error()
	}
	for _, required := range found.RequiredPlugins {
		if required == id && truth.CRI != "ok" {
			*truth = serve.Truth{ID: truth.ID}
			truth.Refuse(fmt.Errorf("load required plugin %s", required))
			return
		}
	}
	tell(truth, &settings)
	truth.DisabledPlugins = found.DisabledPlugins
}

func tell(truth *serve.Truth, settings *cri.PluginConfig) {
	truth.EnableCDI = &settings.EnableCDI
	truth.CDISpecDirs = settings.CDISpecDirs
	truth.DefaultRuntimeName = settings.DefaultRuntimeName
	truth.RegistryConfigPath = settings.Registry.ConfigPath
	truth.SandboxImage = settings.SandboxImage
	truth.RegistryMirrors = map[string][]string{}
	for name, one := range settings.Registry.Mirrors {
		truth.RegistryMirrors[name] = one.Endpoints
	}
	truth.Runtimes = map[string]*serve.Runtime{}
	for name, one := range settings.Runtimes {
		told := &serve.Runtime{Type: one.Type, Path: one.Path}
		told.Options(one.Options)
		told.Fields(one, "runtime_type", "runtime_path", "options")
		told.OptionsError = serve.Failure(func() error { return optionsError(one) })
		truth.Runtimes[name] = told
	}
}

// optionsError is generateRuntimeOptions of pkg/cri/server/helpers.go, which containerd keeps to itself.
func optionsError(one cri.Runtime) error {
	if one.Options == nil || one.Type == "io.containerd.runhcs.v1" {
		return nil
	}
	tree, err := toml.TreeFromMap(one.Options)
	if err != nil {
		return err
	}
	var target any = &generic.Options{}
	switch one.Type {
	case plugin.RuntimeRuncV1, plugin.RuntimeRuncV2:
		target = &runc.Options{}
	case plugin.RuntimeLinuxV1:
		target = &linux.RuncOptions{}
	}
	return tree.Unmarshal(target)
}
