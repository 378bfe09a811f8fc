module helmguard.test/cdi

go 1.24
