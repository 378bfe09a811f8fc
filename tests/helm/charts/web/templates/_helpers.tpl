{{- define "web.name" -}}{{ .Release.Name }}-web{{- end }}
{{- define "web.labels" -}}
app: {{ include "web.name" . }}
chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
