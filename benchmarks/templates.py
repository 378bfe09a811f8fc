"""The templates of the generated chart, one a kind, written the way charts usually are.

``@NAME@`` is the object's name after the release's, ``@NUMBER@`` its number, ``@TEXT@`` filler for a
configuration file, ``@LEVEL@`` the field that follows ``.Values.tuning.level`` (empty in most objects).
"""

from __future__ import annotations

HELPERS = """\
{{- define "bench.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "bench.selector" -}}
app.kubernetes.io/name: {{ include "bench.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "bench.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "bench.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
"""

VALUES = """\
nameOverride: ""
image: {repository: registry.example.com/shop/service, tag: "2.14.0", pullPolicy: IfNotPresent}
tuning: {level: info, cacheSize: 512}
ingress: {className: nginx, domain: shop.example.com}
replicas: 1
resources:
  limits: {cpu: 500m, memory: 512Mi}
  requests: {cpu: 100m, memory: 128Mi}
nodeSelector:
  kubernetes.io/os: linux
tolerations:
  - {key: dedicated, operator: Equal, value: shop, effect: NoSchedule}
"""

_METADATA = """\
metadata:
  name: {{ .Release.Name }}-@NAME@
  labels:
    {{- include "bench.labels" . | nindent 4 }}
    app.kubernetes.io/component: @NAME@
"""

_CONFIG_MAP = f"""\
apiVersion: v1
kind: ConfigMap
{_METADATA}data:
  LOG_FORMAT: json
  CACHE_SIZE: {{{{ .Values.tuning.cacheSize | quote }}}}
@LEVEL@  application.yaml: |
@TEXT@"""

_SECRET = f"""\
apiVersion: v1
kind: Secret
{_METADATA}type: Opaque
data:
  username: {{{{ "service-@NUMBER@" | b64enc }}}}
  password: {{{{ printf "%s-@NUMBER@" .Values.image.tag | b64enc | quote }}}}
stringData:
  connection: postgres://service-@NUMBER@@database.shop.svc:5432/shop?sslmode=require
@LEVEL@"""

_DEPLOYMENT = f"""\
apiVersion: apps/v1
kind: Deployment
{_METADATA}spec:
  replicas: {{{{ .Values.replicas }}}}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{{{- include "bench.selector" . | nindent 6 }}}}
      app.kubernetes.io/component: @NAME@
  template:
    metadata:
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9090"
      labels:
        {{{{- include "bench.selector" . | nindent 8 }}}}
        app.kubernetes.io/component: @NAME@
    spec:
      serviceAccountName: default
      securityContext: {{runAsNonRoot: true, runAsUser: 10001, fsGroup: 10001}}
      {{{{- with .Values.nodeSelector }}}}
      nodeSelector:
        {{{{- toYaml . | nindent 8 }}}}
      {{{{- end }}}}
      {{{{- with .Values.tolerations }}}}
      tolerations:
        {{{{- toYaml . | nindent 8 }}}}
      {{{{- end }}}}
      containers:
        - name: service
          image: "{{{{ .Values.image.repository }}}}:{{{{ .Values.image.tag }}}}"
          imagePullPolicy: {{{{ .Values.image.pullPolicy }}}}
          args: ["serve", "--listen=:8080", "--metrics=:9090", "--shard=@NUMBER@"]
          ports:
            - {{name: http, containerPort: 8080}}
            - {{name: metrics, containerPort: 9090, protocol: TCP}}
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: CACHE_SIZE
              value: {{{{ .Values.tuning.cacheSize | quote }}}}
            - name: SHARD
              value: "@NUMBER@"
            - name: DATABASE_PASSWORD
              valueFrom:
                secretKeyRef:
                  name: {{{{ .Release.Name }}}}-secret
                  key: password
@LEVEL@          livenessProbe:
            httpGet: {{path: /healthz, port: http}}
            initialDelaySeconds: 10
          readinessProbe:
            httpGet: {{path: /ready, port: http}}
            periodSeconds: 5
          resources:
            {{{{- toYaml .Values.resources | nindent 12 }}}}
          volumeMounts:
            - {{name: config, mountPath: /etc/service, readOnly: true}}
            - {{name: scratch, mountPath: /tmp}}
        - name: proxy
          image: "registry.example.com/mesh/proxy:1.31.2"
          ports:
            - {{name: proxy, containerPort: 15001}}
          resources:
            limits: {{cpu: 200m, memory: 128Mi}}
            requests: {{cpu: 10m, memory: 40Mi}}
      volumes:
        - name: config
          configMap:
            name: {{{{ .Release.Name }}}}-config
        - name: scratch
          emptyDir: {{sizeLimit: 64Mi}}
"""

_SERVICE = f"""\
apiVersion: v1
kind: Service
{_METADATA}spec:
  type: ClusterIP
  ports:
    - {{name: http, port: 80, targetPort: http}}
    - {{name: metrics, port: 9090, targetPort: metrics, protocol: TCP}}
  selector:
    {{{{- include "bench.selector" . | nindent 4 }}}}
    app.kubernetes.io/component: @NAME@
"""

_SERVICE_ACCOUNT = f"""\
apiVersion: v1
kind: ServiceAccount
{_METADATA}automountServiceAccountToken: false
"""

_ROLE = f"""\
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
{_METADATA}rules:
  - apiGroups: [""]
    resources: [configmaps, secrets]
    verbs: [get, list, watch]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, create, update]
"""

_ROLE_BINDING = f"""\
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
{_METADATA}roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{{{ .Release.Name }}}}-@NAME@
subjects:
  - kind: ServiceAccount
    name: {{{{ .Release.Name }}}}-@NAME@
    namespace: {{{{ .Release.Namespace }}}}
"""

_INGRESS = f"""\
apiVersion: networking.k8s.io/v1
kind: Ingress
{_METADATA}  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: 8m
    nginx.ingress.kubernetes.io/proxy-read-timeout: "60"
spec:
  ingressClassName: {{{{ .Values.ingress.className }}}}
  tls:
    - hosts: ["@NAME@.{{{{ .Values.ingress.domain }}}}"]
      secretName: {{{{ .Release.Name }}}}-@NAME@-tls
  rules:
    - host: "@NAME@.{{{{ .Values.ingress.domain }}}}"
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{{{ .Release.Name }}}}-@NAME@
                port: {{name: http}}
"""

_AUTOSCALER = f"""\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
{_METADATA}spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: "{{{{ .Release.Name }}}}-@NAME@"}}
  minReplicas: 1
  maxReplicas: 5
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {{type: Utilization, averageUtilization: 80}}
"""

_DISRUPTION_BUDGET = f"""\
apiVersion: policy/v1
kind: PodDisruptionBudget
{_METADATA}spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{{{- include "bench.selector" . | nindent 6 }}}}
      app.kubernetes.io/component: @NAME@
"""

TEMPLATES: dict[str, str] = {
    "configmap": _CONFIG_MAP,
    "secret": _SECRET,
    "deployment": _DEPLOYMENT,
    "service": _SERVICE,
    "serviceaccount": _SERVICE_ACCOUNT,
    "role": _ROLE,
    "rolebinding": _ROLE_BINDING,
    "ingress": _INGRESS,
    "hpa": _AUTOSCALER,
    "pdb": _DISRUPTION_BUDGET,
}

LEVEL_FIELDS: dict[str, str] = {
    "configmap": "  LOG_LEVEL: {{ .Values.tuning.level | quote }}\n",
    "secret": "  level: {{ .Values.tuning.level }}\n",
    "deployment": "            - name: LOG_LEVEL\n              value: {{ .Values.tuning.level | quote }}\n",
}
"""The kinds that can follow the changed value, and how."""
