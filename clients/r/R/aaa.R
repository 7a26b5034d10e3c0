# The state kept between calls. R reads the files in alphabetical order.
the <- new.env(parent = emptyenv())
