// Command helmguard-schema prints what containerd 2.1 reads of its configuration. See ../schema.py.
package main

import (
	"encoding/json"
	"os"
	"reflect"

	runc "github.com/containerd/containerd/api/types/runc/options"
	generic "github.com/containerd/containerd/api/types/runtimeoptions/v1"
	server "github.com/containerd/containerd/v2/cmd/containerd/server/config"
	cri "github.com/containerd/containerd/v2/internal/cri/config"
	"shape"
)

func main() {
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"config": shape.Of(reflect.TypeOf(server.Config{})),
		"plugins": map[string]any{
			"io.containerd.cri.v1.runtime": shape.Of(reflect.TypeOf(cri.RuntimeConfig{})),
			"io.containerd.cri.v1.images":  shape.Of(reflect.TypeOf(cri.ImageConfig{})),
			"io.containerd.grpc.v1.cri":    shape.Of(reflect.TypeOf(cri.ServerConfig{})),
		},
		"defaults": map[string]any{
			"io.containerd.cri.v1.runtime": shape.Values(reflect.ValueOf(cri.DefaultRuntimeConfig())),
			"io.containerd.cri.v1.images":  shape.Values(reflect.ValueOf(cri.DefaultImageConfig())),
			"io.containerd.grpc.v1.cri":    shape.Values(reflect.ValueOf(cri.DefaultServerConfig())),
		},
		"options": map[string]any{
			"io.containerd.runc.v2": shape.Of(reflect.TypeOf(runc.Options{})),
			"":                      shape.Of(reflect.TypeOf(generic.Options{})),
		},
	})
}
