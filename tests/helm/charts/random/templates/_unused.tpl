{{- define "random.unused" -}}{{ lookup "v1" "Secret" "" "" }}{{ .Release.Revision }}{{- end }}
