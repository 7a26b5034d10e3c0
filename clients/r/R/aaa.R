# What is remembered between calls. R reads the files in the order of their names.
the <- new.env(parent = emptyenv())
