// Command loader says what containerd 2.1 makes of configurations. See ../serve.
//
// It loads, translates, decodes and checks as cmd/containerd/server.New does, with the CRI plugins alone.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/containerd/containerd/v2/cmd/containerd/command"
	"github.com/containerd/containerd/v2/cmd/containerd/server/config"
	cri "github.com/containerd/containerd/v2/internal/cri/config"
	_ "github.com/containerd/containerd/v2/plugins/cri"
	_ "github.com/containerd/containerd/v2/plugins/cri/images"
	_ "github.com/containerd/containerd/v2/plugins/cri/runtime"
	"github.com/containerd/containerd/v2/version"
	"github.com/containerd/plugin"
	"github.com/containerd/plugin/registry"
	"github.com/sirupsen/logrus"
	"serve"
)

const (
	server  = "io.containerd.grpc.v1.cri"
	runtime = "io.containerd.cri.v1.runtime"
	images  = "io.containerd.cri.v1.images"
)

func main() {
	logrus.SetOutput(io.Discard)
	serve.Main(load, func(arguments []string) error { return command.App().Run(arguments) })
}

func load(truth *serve.Truth) {
	ctx := context.Background()
	found := &config.Config{Version: version.ConfigVersion}
	if _, err := os.Stat(serve.Config); err == nil {
		if err := config.LoadConfig(ctx, serve.Config, found); err != nil {
			truth.Refuse(err)
			return
		}
	}
	current := found.Version
	if err := found.MigrateConfig(ctx); err != nil {
		truth.Refuse(err)
		return
	}
	for _, text := range found.Timeouts {
		if _, err := time.ParseDuration(text); err != nil {
			truth.Refuse(fmt.Errorf("unable to parse %s into a time duration", text))
			return
		}
	}
	plugins := registry.Graph(config.V2DisabledFilter(found.DisabledPlugins))
	for v := current; v < version.ConfigVersion; v++ {
		for _, one := range plugins {
			if one.ConfigMigration != nil {
				if err := one.ConfigMigration(ctx, v, found.Plugins); err != nil {
					truth.Refuse(err)
					return
				}
			}
		}
	}
	tell(ctx, truth, found, plugins)
}

// tell decodes and checks what the daemon would, in its order. A disabled plugin's settings are decoded, too: they
// are told, but neither stop the daemon nor are they checked.
func tell(ctx context.Context, truth *serve.Truth, found *config.Config, plugins []plugin.Registration) {
	runtimeConfig, imageConfig, serverConfig := cri.DefaultRuntimeConfig(), cri.DefaultImageConfig(), cri.DefaultServerConfig()
	targets := map[string]any{runtime: &runtimeConfig, images: &imageConfig, server: &serverConfig}
	for _, id := range []string{runtime, images, server} {
		decode := func() error {
			_, err := found.Decode(ctx, id, targets[id])
			return err
		}
		if loaded(id, plugins) {
			if err := decode(); err != nil {
				truth.Refuse(err)
				return
			}
		} else if serve.Failure(decode) != "" {
			reset(id, &runtimeConfig, &imageConfig, &serverConfig)
		}
	}
	truth.Daemon, truth.CRI = "starts", "ok"
	if !loaded(server, plugins) {
		truth.CRI = "disabled"
	} else {
		truth.CRIError = failure(runtime, plugins, func() error {
			_, err := cri.ValidateRuntimeConfig(ctx, &runtimeConfig)
			return err
		})
		truth.ImageError = failure(images, plugins, func() error {
			_, err := cri.ValidateImageConfig(ctx, &imageConfig)
			return err
		})
		if truth.CRIError == "" {
			truth.CRIError = failure(server, plugins, func() error {
				_, err := cri.ValidateServerConfig(ctx, &serverConfig)
				return err
			})
		}
		if truth.CRIError != "" || truth.ImageError != "" {
			truth.CRI = "fails"
		}
	}
	for _, required := range found.RequiredPlugins {
		if required == server && truth.CRI != "ok" {
			*truth = serve.Truth{ID: truth.ID}
			truth.Refuse(fmt.Errorf("load required plugin %s", required))
			return
		}
	}
	truth.EnableCDI = &runtimeConfig.EnableCDI
	truth.CDISpecDirs = runtimeConfig.CDISpecDirs
	truth.DefaultRuntimeName = runtimeConfig.DefaultRuntimeName
	truth.RegistryConfigPath = imageConfig.Registry.ConfigPath
	truth.SandboxImage = imageConfig.PinnedImages["sandbox"]
	truth.DisabledPlugins = found.DisabledPlugins
	truth.RegistryMirrors = map[string][]string{}
	for name, one := range imageConfig.Registry.Mirrors {
		truth.RegistryMirrors[name] = one.Endpoints
	}
	truth.Runtimes = map[string]*serve.Runtime{}
	for name, one := range runtimeConfig.Runtimes {
		told := &serve.Runtime{Type: one.Type, Path: one.Path}
		told.Options(one.Options)
		told.Fields(one, "runtime_type", "runtime_path", "options")
		told.OptionsError = serve.Failure(func() error {
			_, err := cri.GenerateRuntimeOptions(one)
			return err
		})
		truth.Runtimes[name] = told
	}
}

// reset undoes what a disabled plugin's unreadable table has set.
func reset(id string, runtimeConfig *cri.RuntimeConfig, imageConfig *cri.ImageConfig, serverConfig *cri.ServerConfig) {
	switch id {
	case runtime:
		*runtimeConfig = cri.DefaultRuntimeConfig()
	case images:
		*imageConfig = cri.DefaultImageConfig()
	case server:
		*serverConfig = cri.DefaultServerConfig()
	}
}

func loaded(id string, plugins []plugin.Registration) bool {
	for _, one := range plugins {
		if one.URI() == id {
			return true
		}
	}
	return false
}

func failure(id string, plugins []plugin.Registration, check func() error) string {
	if !loaded(id, plugins) {
		return id + " is disabled"
	}
	if err := check(); err != nil {
		return err.Error()
	}
	return ""
}
