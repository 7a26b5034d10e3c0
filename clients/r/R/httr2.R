# req_oauth() accepts a flow with a cache, which httr2 asks for the token when it performs a request. Our cache stores
# nothing: it asks the agent each time, and refuses requests to servers that may not get the token.

req_latchkey <- function(req, connection = NULL, hosts = NULL, wait = 0) {
  others <- origins_of(hosts)

  sign <- function() {
    performed <- caller_local("req", "httr2_request")
    attempt <- attempt_of(performing())
    answer <- attempt$another
    attempt$another <- NULL
    if (is.null(answer)) answer <- ask_after_refusal(connection, wait)
    check_allowed(performed$url, answer$origin, others)
    check_direct(performed, direct)
    attempt$token <- answer$token
    watch_several(answer$token, connection)
    httr2::oauth_token(answer$token)
  }

  # Up to version 1.1.0, httr2 calls this after a 401 with invalid_token. Later versions sign the request again instead.
  sign_again <- function(...) {
    attempt <- attempt_of(performing())
    if (is_repeatable(attempt)) return(sign())
    httr2::oauth_token(attempt$token)
  }

  is_transient <- function(resp) {
    if (httr2::resp_status(resp) != 401) return(was_transient(resp))
    # After a redirect, the 401 can be from another server, which got no token.
    if (!is_same_origin(resp, req) || !is_repeatable(attempt_of(performing()))) return(FALSE)
    if (utils::packageVersion("httr2") < "1.1.1") put_on_handle(sign()$access_token)
    TRUE
  }
  # True at most once for each request, if Latchkey has another token for it. Otherwise the caller gets the service's
  # own 401, which says more.
  is_repeatable <- function(attempt) {
    if (isTRUE(attempt$is_second)) return(FALSE)
    attempt$is_second <- TRUE
    attempt$another <- tryCatch(ask_for_another(attempt$token, connection), latchkey_error = function(error) {
      # After a sign-out, the service refuses the old tokens, and only the next sign-in brings another.
      if (identical(wait, 0) || !may_wait(error)) return(NULL)
      answer <- tryCatch(ask_for_token(60, connection, wait), latchkey_error = function(error) NULL)
      if (!identical(answer$token, attempt$token)) answer
    })
    !is.null(attempt$another)
  }
  was_transient <- transience_of(req)
  delay <- function(resp) if (httr2::resp_status(resp) == 401) 0 else httr2::resp_retry_after(resp)
  tries <- max(2, req$policies$retry_max_tries)

  cache <- list(get = sign, set = function(token) NULL, clear = function() NULL)
  # SECURITY: by default, the curl package sends the Authorization header again after a redirect to another server.
  req <- httr2::req_options(req, unrestricted_auth = FALSE)
  # Before 7.83, libcurl sends the header to another port of the same host, whatever unrestricted_auth says.
  if (numeric_version(curl::curl_version()$version) < "7.83") req <- httr2::req_options(req, followlocation = FALSE)
  direct <- direct_options(req)
  req <- httr2::req_options(req, !!!direct)
  if (is.null(req$options$xferinfofunction)) {
    req <- httr2::req_options(req, noprogress = FALSE, xferinfofunction = may_go_on)
  }
  req <- httr2::req_oauth(req, sign_again, list(), cache)
  httr2::req_retry(
    req,
    max_tries = tries, max_seconds = req$policies$retry_max_wait, is_transient = is_transient,
    backoff = req$policies$retry_backoff, after = delay
  )
}

# SECURITY: before httr2 sends a request again, it reads the refused answer, whose body could be endless. libcurl calls
# this function while a body arrives, and ends the request if the function returns FALSE. While httr2 performs several
# requests at once, no body is limited.
may_go_on <- function(down, up) {
  handle <- caller_handle()
  is.null(handle) || down[[2]] < MOST_REFUSED_BYTES || curl::handle_data(handle)$status_code != 401
}
MOST_REFUSED_BYTES <- 1048576

caller_handle <- function() {
  found <- Filter(function(frame) inherits(get0("handle", frame, inherits = FALSE), "curl_handle"), sys.frames())
  if (length(found) > 0) found[[length(found)]]$handle
}

# Keeps a request without TLS on this machine. SECURITY: another user could listen on [::1] at the port of a service
# that listens on 127.0.0.1, and a proxy could read the token.
direct_options <- function(req) {
  outside <- Sys.getenv("no_proxy", Sys.getenv("NO_PROXY"))
  host <- loopback_host(req$url)
  names <- unique(c(req$options$noproxy, if (nzchar(outside)) outside, "localhost", "127.0.0.1", "::1", "[::1]", host))
  list(
    connect_to = c(req$options$connect_to, "localhost::127.0.0.1:", "localhost.::127.0.0.1:"),
    noproxy = if ("*" %in% names) "*" else paste(names, collapse = ",")
  )
}

# Address and options may have changed since the request was made.
check_direct <- function(req, direct) {
  host <- loopback_host(req$url)
  if (is.null(host)) return(invisible())
  is_known <- host %in% strsplit(direct$noproxy, ",", fixed = TRUE)[[1]] || direct$noproxy == "*"
  if (is_known && identical(req$options[names(direct)], direct)) return(invisible())
  latchkey_abort("unencrypted", sprintf(
    "The token isn't sent to http://%s, because the request could leave this machine unencrypted. %s", host,
    "Call req_latchkey() after req_url(), req_proxy() and req_options()."
  ))
}

# The host of an http address on this machine, or NULL.
loopback_host <- function(url) {
  if (grepl("^https:", url, ignore.case = TRUE)) return(NULL)
  tolower(sub("^http://([^/?#@]*@)?(\\[[^]]*\\]|[^/?#:]*).*", "\\2", url, ignore.case = TRUE, perl = TRUE))
}

# Up to version 1.1.0, httr2 doesn't ask about the responses to several requests at once. libcurl's debugging callback
# then shows that a token was rejected: types 1 and 2 are headers received and sent.
watch_several <- function(token, connection) {
  if (utils::packageVersion("httr2") >= "1.1.0" || !inherits(performing(), "Performance")) return(invisible())
  signed <- caller_local("req", "httr2_request")
  own <- signed$options$debugfunction
  has_token <- FALSE
  debug <- function(type, data) {
    if (is.function(own)) own(type, data)
    if (!type %in% c(1, 2)) return(invisible())
    header <- rawToChar(data[data != 0])
    if (type == 2) has_token <<- grepl("\nauthorization: bearer ", header, ignore.case = TRUE, useBytes = TRUE)
    # curl can't perform a request inside its callback, so the next request reports the token.
    if (type == 1 && has_token && grepl("^HTTP/[0-9.]+ 401", header, useBytes = TRUE)) {
      the$refused[[connection_key(connection)]] <- token
    }
  }
  replace_caller_local("req", "httr2_request", httr2::req_options(signed, verbose = TRUE, debugfunction = debug))
}

# The current token or, if a server rejected it and Latchkey doesn't know that yet, another one.
ask_after_refusal <- function(connection, wait) {
  refused <- the$refused[[connection_key(connection)]]
  the$refused[[connection_key(connection)]] <- NULL
  another <- if (!is.null(refused)) {
    tryCatch(ask_for_another(refused, connection), latchkey_error = function(error) NULL)
  }
  if (is.null(another)) ask_for_token(60, connection, wait) else another
}

connection_key <- function(connection) paste0("=", connection)

# What is known about a request: the token of its current attempt, the answer for its second attempt, and whether the
# second attempt has begun. Many requests of one req_latchkey() may be under way. SECURITY: this is kept in the package,
# because a user can save a request.
attempt_of <- function(owner) {
  the$attempts <- Filter(function(attempt) !is.null(rlang::wref_key(attempt$owner)), the$attempts)
  for (attempt in the$attempts) {
    if (identical(rlang::wref_key(attempt$owner), owner)) return(attempt)
  }
  attempt <- new.env(parent = emptyenv())
  attempt$owner <- rlang::new_weakref(owner)
  the$attempts <- c(the$attempts, attempt)
  attempt
}

# What httr2 performs: an object for each of several requests, or the call for a single one.
performing <- function() {
  frames <- sys.frames()
  for (frame in rev(frames)) {
    found <- get0("self", frame)
    if (inherits(found, "Performance")) return(found)
  }
  calls <- Filter(function(name) startsWith(name, "req_perform"), getNamespaceExports("httr2"))
  performers <- mget(calls, asNamespace("httr2"))
  for (number in rev(seq_along(frames))) {
    if (any(vapply(performers, identical, NA, sys.function(number)))) return(frames[[number]])
  }
  # In req_dry_run(), for example, no function of httr2 performs a request.
  frames[[1]]
}

# The caller's own condition for a retry: a function of the response.
transience_of <- function(req) {
  own <- req$policies$retry_is_transient
  if (!is.null(own)) return(own)
  is_retrying <- !is.null(req$policies$retry_max_tries) || !is.null(req$policies$retry_max_wait)
  function(resp) is_retrying && httr2::resp_status(resp) %in% c(429, 503)
}

is_same_origin <- function(resp, req) identical(origin_of(resp$url), origin_of(req$url))

# httr2 passes neither request nor handle to a cache, so they are looked up in the calling frames. If they aren't there,
# no token is sent.
caller_local <- function(name, class) {
  for (frame in rev(sys.frames())) {
    found <- get0(name, frame, inherits = FALSE)
    if (inherits(found, class)) return(found)
  }
  stop("latchkeydesktop doesn't know this version of httr2", call. = FALSE)
}

replace_caller_local <- function(name, class, value) {
  for (frame in rev(sys.frames())) {
    if (!inherits(get0(name, frame, inherits = FALSE), class)) next
    assign(name, value, frame)
    return(invisible())
  }
}

# To retry a request, older versions of httr2 use the handle of the first attempt, so this replaces the handle in the
# calling frame.
put_on_handle <- function(token) {
  internal <- function(name) get0(name, asNamespace("httr2"), mode = "function", inherits = FALSE)
  req <- caller_local("req", "httr2_request")
  req <- httr2::req_auth_bearer_token(req, token)
  prepare <- internal("req_prepare")
  signed <- internal("req_handle")(if (is.null(prepare)) req else prepare(req))
  replace_caller_local("handle", "curl_handle", signed)
}
