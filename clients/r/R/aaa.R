# The state kept between calls. R reads the files in alphabetical order, so this file comes first.
the <- new.env(parent = emptyenv())
# Tokens that servers refused and that aren't reported yet, by connection. SECURITY: kept here, because a request can be
# saved.
the$refused <- list()
