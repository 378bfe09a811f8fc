{{- define "errors.deep" -}}
value: {{ .Values.newmap.inner.key }}
{{- end }}
