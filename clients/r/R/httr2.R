# req_oauth() accepts a custom flow with a cache of its own, and httr2 asks that cache for the token when it performs a
# request. Our cache stores nothing: it asks the agent each time, and refuses to sign requests to servers that may not
# receive the token.

req_latchkey <- function(req, connection = NULL, hosts = NULL) {
  others <- origins_of(hosts)
  # The token of the current attempt, the token for the next attempt, and TRUE if the current attempt is the second.
  attempt <- new.env(parent = emptyenv())

  sign <- function() {
    answer <- attempt$another
    attempt$another <- NULL
    attempt$is_second <- !is.null(answer)
    if (is.null(answer)) answer <- ask_for_token(60, connection)
    check_allowed(caller_local("req", "httr2_request")$url, answer$origin, others)
    attempt$token <- answer$token
    httr2::oauth_token(answer$token)
  }

  # Up to version 1.1.0, httr2 calls this function after a 401 with invalid_token. Later versions sign the request again
  # instead.
  sign_again <- function(...) {
    if (!isTRUE(attempt$is_second)) attempt$another <- ask_for_another(attempt$token, connection)
    sign()
  }

  is_transient <- function(resp) {
    if (httr2::resp_status(resp) != 401) return(was_transient(resp))
    # After a redirect, the 401 can come from another server, which received no token.
    if (isTRUE(attempt$is_second) || !is_same_origin(resp, req)) return(FALSE)
    attempt$another <- ask_for_another(attempt$token, connection)
    if (utils::packageVersion("httr2") < "1.1.1") put_on_handle(sign()$access_token)
    TRUE
  }
  was_transient <- transience_of(req)
  wait <- function(resp) if (httr2::resp_status(resp) == 401) 0 else httr2::resp_retry_after(resp)
  tries <- max(2, req$policies$retry_max_tries)

  cache <- list(get = sign, set = function(token) NULL, clear = function() NULL)
  # SECURITY: by default, the curl package makes libcurl send the Authorization header again after a redirect to another
  # server.
  req <- httr2::req_options(req, unrestricted_auth = FALSE)
  # libcurl before 7.83 sends this header to another port of the same host, whatever unrestricted_auth says.
  if (numeric_version(curl::curl_version()$version) < "7.83") req <- httr2::req_options(req, followlocation = FALSE)
  req <- httr2::req_oauth(req, sign_again, list(), cache)
  httr2::req_retry(
    req,
    max_tries = tries, max_seconds = req$policies$retry_max_wait, is_transient = is_transient,
    backoff = req$policies$retry_backoff, after = wait
  )
}

# Returns the caller's own retry condition: a function that returns TRUE if a response makes httr2 retry the request.
transience_of <- function(req) {
  own <- req$policies$retry_is_transient
  if (!is.null(own)) return(own)
  is_retrying <- !is.null(req$policies$retry_max_tries) || !is.null(req$policies$retry_max_wait)
  function(resp) is_retrying && httr2::resp_status(resp) %in% c(429, 503)
}

is_same_origin <- function(resp, req) identical(origin_of(resp$url), origin_of(req$url))

# httr2 passes neither the request nor the handle to a cache, so they are looked up in the calling frames. If they are
# not found, no token is sent.
caller_local <- function(name, class) {
  for (frame in rev(sys.frames())) {
    found <- get0(name, frame, inherits = FALSE)
    if (inherits(found, class)) return(found)
  }
  stop("latchkeydesktop doesn't know this version of httr2", call. = FALSE)
}

# Older versions of httr2 retry a request with the curl handle of the first attempt, so the handle is replaced in the
# calling frame.
put_on_handle <- function(token) {
  internal <- function(name) get0(name, asNamespace("httr2"), mode = "function", inherits = FALSE)
  req <- caller_local("req", "httr2_request")
  req <- httr2::req_auth_bearer_token(req, token)
  prepare <- internal("req_prepare")
  signed <- internal("req_handle")(if (is.null(prepare)) req else prepare(req))
  for (frame in rev(sys.frames())) {
    if (inherits(get0("handle", frame, inherits = FALSE), "curl_handle")) {
      assign("handle", signed, frame)
      return(invisible())
    }
  }
}
