# The state kept between calls. R reads the files in alphabetical order, so this file comes first.
the <- new.env(parent = emptyenv())
