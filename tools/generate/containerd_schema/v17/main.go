// Command helmguard-schema prints what containerd 1.7 reads of its configuration. See ../schema.py.
package main

import (
	"encoding/json"
	"os"
	"reflect"

	cri "github.com/containerd/containerd/pkg/cri/config"
	generic "github.com/containerd/containerd/pkg/runtimeoptions/v1"
	linux "github.com/containerd/containerd/runtime/linux/runctypes"
	runc "github.com/containerd/containerd/runtime/v2/runc/options"
	server "github.com/containerd/containerd/services/server/config"
	"shape"
)

func main() {
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"config": shape.Of(reflect.TypeOf(server.Config{})),
		"plugins": map[string]any{
			"io.containerd.grpc.v1.cri": shape.Of(reflect.TypeOf(cri.PluginConfig{})),
		},
		"defaults": map[string]any{
			"io.containerd.grpc.v1.cri": shape.Values(reflect.ValueOf(cri.DefaultConfig())),
		},
		"options": map[string]any{
			"io.containerd.runc.v1":          shape.Of(reflect.TypeOf(runc.Options{})),
			"io.containerd.runc.v2":          shape.Of(reflect.TypeOf(runc.Options{})),
			"io.containerd.runtime.v1.linux": shape.Of(reflect.TypeOf(linux.RuncOptions{})),
			"":                               shape.Of(reflect.TypeOf(generic.Options{})),
		},
	})
}
