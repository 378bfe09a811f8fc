module serve

go 1.24
