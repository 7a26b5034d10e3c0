# What is kept between calls. R reads the files in alphabetical order, so this is the first.
the <- new.env(parent = emptyenv())
# Tokens that servers rejected, until they are reported, by connection. SECURITY: kept here, because a user can save a
# request.
the$refused <- list()
