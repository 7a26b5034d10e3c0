# Decides which servers may receive a token.

# Scheme, host and port, such as https://data.example.com:8443; NULL for an invalid address.
origin_of <- function(url) {
  # SECURITY: URL parsers disagree about these characters, so the HTTP library could connect to another host than the
  # one checked here.
  if (length(url) != 1 || is.na(url) || grepl("[[:cntrl:][:space:]\\\\]", url)) return(NULL)
  pattern <- "^(https?)://(?:[^/?#@]*@)?(\\[[0-9a-f:.]+\\]|[^/?#:@\\[\\]]+)(?::([0-9]*))?(?:[/?#]|$)"
  parts <- regmatches(url, regexec(pattern, url, perl = TRUE, ignore.case = TRUE))[[1]]
  if (length(parts) == 0) return(NULL)
  scheme <- tolower(parts[[2]])
  host <- sub("\\.$", "", tolower(parts[[3]]))
  # SECURITY: never send a token unencrypted over a network.
  if (scheme == "http" && !grepl("^(localhost|127(\\.[0-9]+){3}|\\[::1\\])$", host)) return(NULL)
  port <- parts[[4]]
  is_default <- port == "" || port == (if (scheme == "https") "443" else "80")
  paste0(scheme, "://", host, if (is_default) "" else paste0(":", port))
}

# The origins of the addresses that a caller lists. Paths don't matter.
origins_of <- function(hosts) {
  vapply(as.character(hosts), USE.NAMES = FALSE, FUN.VALUE = "", function(host) {
    origin <- origin_of(host)
    # SECURITY: the message leaves out the address, which can contain a password.
    if (is.null(origin)) stop("hosts takes https addresses, such as https://api.example.com", call. = FALSE)
    origin
  })
}

check_allowed <- function(url, own, others) {
  allowed <- unique(c(if (!is.null(own)) origin_of(own), others))
  origin <- origin_of(url)
  # Latchkey, too, connects to localhost at 127.0.0.1.
  if (!is.null(origin) && origin %in% c(allowed, sub("^http://localhost", "http://127.0.0.1", allowed))) {
    return(invisible())
  }
  shown <- if (is.null(origin)) "this address" else origin
  # SECURITY: hosts must not list another connection's service, so the message doesn't advise that.
  name <- if (!is.null(origin)) connection_at(origin)
  latchkey_abort("foreign_host", sprintf(
    "The token isn't sent to %s, only to %s. %s",
    shown, if (length(allowed) == 0) "no host" else paste(sort(allowed), collapse = ", "),
    if (is.null(name)) {
      "Name another server in hosts to send it there."
    } else {
      sprintf('That is the service of another connection: use connection = "%s".', name)
    }
  ))
}
