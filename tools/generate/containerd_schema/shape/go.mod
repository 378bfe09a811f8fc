module shape

go 1.24
