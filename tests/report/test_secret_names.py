"""Names that tell of secrets, and names that only speak about them."""

from __future__ import annotations

import pytest

from helmguard.masking.secret_names import is_password_name, is_secret_name

SECRET = [
    "password",
    "dbPassword",
    "DB_PASSWORD",
    "PGPASSWORD",
    "MYSQL_ROOT_PASSWORD",
    "passwd",
    "smtpPass",
    "REDIS_PASS",
    "passphrase",
    "token",
    "apiToken",
    "API_TOKEN",
    "authToken",
    "bearerToken",
    "slack_token",
    "clientSecret",
    "client_secret",
    "clientsecret",
    "secret",
    "secrets",
    "apikey",
    "api_key",
    "apiKey",
    "API-KEY",
    "NGC_API_KEY",
    "privateKey",
    "private_key",
    "accessKey",
    "secretKey",
    "secretAccessKey",
    "AWS_SECRET_ACCESS_KEY",
    "credentials",
    "connectionString",
    "connection_string",
    "DATABASE_DSN",
    "ssh-key",
    "encryptionKey",
    "jwtSecret",
    "session_secret",
    "signing-key",
    "accountKey",
    "licenseKey",
    ".dockerconfigjson",
    "htpasswd",
    "admin.password",
]

NOT_SECRET = [
    "secretName",
    "existingSecret",
    "existingSecretName",
    "existingSecretPasswordKey",
    "passwordKey",
    "userKey",
    "keyFile",
    "passwordFile",
    "credentialsFile",
    "tokenPath",
    "tokenTTL",
    "tokenExpirationSeconds",
    "token_url",
    "imagePullSecret",
    "imagePullSecrets",
    "pullSecret",
    "tlsSecret",
    "secretRef",
    "secretKeyRef",
    "passwordSecretRef",
    "privateKeySecretRef",
    "secretNamespace",
    "secretStore",
    "key",
    "keys",
    "sortKey",
    "primaryKey",
    "partitionKey",
    "topologyKey",
    "publicKey",
    "caCert",
    "name",
    "image",
    "replicas",
    "tokenReview",
    "author",
    "externalSecrets",
    "useToken",
    "automountServiceAccountToken",
    "passwordPolicy",
    "bypass",
    "compass",
    "secretary",
    "keyboard",
    "monkey",
    "accessMode",
    "user",
    "username",
]


@pytest.mark.parametrize("name", SECRET)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", NOT_SECRET)
def test_other_names(name: str) -> None:
    assert not is_secret_name(name)


def test_numbers_are_secret_only_under_names_of_passwords() -> None:
    assert is_password_name("adminPassword")
    assert not is_password_name("maxTokens")
