module helmguard.dev/tools/generate/api_lifecycle

go 1.26.0
