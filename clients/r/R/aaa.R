# What is kept between calls. R reads the files in alphabetical order, so this is the first.
the <- new.env(parent = emptyenv())
# Tokens that servers rejected, by connection, until they are reported. SECURITY: they aren't kept in a request, because
# a user can save a request.
the$refused <- list()
