// Goyaml says what sigs.k8s.io/yaml makes of texts: a base64 text a line in, a JSON answer a line out.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"sigs.k8s.io/yaml"
)

type answer struct {
	JSON   string `json:"json"`
	Error  string `json:"error"`
	Strict string `json:"strict"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		text, err := base64.StdEncoding.DecodeString(lines.Text())
		if err != nil {
			panic(err)
		}
		var a answer
		a.JSON, a.Error = read(yaml.YAMLToJSON, text)
		_, a.Strict = read(yaml.YAMLToJSONStrict, text)
		if err := out.Encode(a); err != nil {
			panic(err)
		}
	}
}

func read(convert func([]byte) ([]byte, error), text []byte) (value, problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprint("panic: ", r)
		}
	}()
	j, err := convert(text)
	if err != nil {
		return "", err.Error()
	}
	return string(j), ""
}
