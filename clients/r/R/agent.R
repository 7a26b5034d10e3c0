# Asks the agent for tokens, and retries while Latchkey restarts.

# A call retries for this long if an earlier call got a token and no call has timed out since: Latchkey is probably
# restarting or updating.
RESTART_S <- 30
# In every other case, a call retries for this long.
START_S <- 5
RETRY_S <- 0.1

# The longest wait for a token: a week.
LONGEST_WAIT_S <- 604800
# How long one request may wait for a token; a longer wait takes several requests.
MOST_HELD_S <- 300
AGAIN_S <- 1

# A token, and the origin of the service that it is for.
ask_for_token <- function(min_validity, connection, wait = 0) {
  ask <- function(location, held = 0) {
    if (location$kind == "command") {
      options <- c(name_option(connection), if (held > 0) paste0("--wait=", held))
      words <- c("token", "--format", "json", "--min-validity", min_validity, options)
      return(token_in(paste(ask_command(words), collapse = "\n")))
    }
    target <- paste0("/v1/token?min_validity=", min_validity, name_parameter("&", connection))
    if (held > 0) target <- paste0(target, "&strict=true&wait=", held)
    token_in(answer_of(ask_socket(location$path, "GET", target, timeout = held + TIMEOUT_S)))
  }
  left <- min(if (isTRUE(wait)) LONGEST_WAIT_S else as.numeric(wait), LONGEST_WAIT_S)
  answer <- wait_for(ask, left)
  if (is.null(answer)) with_retries(ask) else answer
}

# A token; NULL if there was none in time. Latchkey may start, stop or restart meanwhile.
wait_for <- function(ask, left) {
  while (left > 0) {
    held <- min(left, MOST_HELD_S)
    began <- now()
    result <- tryCatch(
      ask(locate_agent(), ceiling(held)),
      latchkey_nobody_answers = identity,
      latchkey_error = identity
    )
    if (!inherits(result, "error")) {
      the$has_answered <- TRUE
      return(result)
    }
    if (inherits(result, "latchkey_too_short")) {
      # The agent answers early only if even a new token would expire too soon.
      if (now() - began < held) return(NULL)
    } else if (!may_wait(result)) stop(result)
    if (now() - began < held) Sys.sleep(AGAIN_S)
    # At most the time of one request is subtracted: if more has passed, the computer slept, and nobody could sign in.
    left <- left - min(now() - began, held + AGAIN_S)
  }
  NULL
}

# True if a later request can bring a token.
may_wait <- function(error) {
  inherits(error, "latchkey_nobody_answers") ||
    isTRUE(error$code %in% c("signed_out", "unavailable", "stopping", "too_many_connections", "timeout"))
}

# Another token instead of a rejected one.
ask_for_another <- function(token, connection) {
  with_retries(function(location) {
    if (location$kind == "command") {
      tell_command(c("rejected", name_option(connection)), checked_token(token))
      return(ask_for_token(0, connection))
    }
    target <- paste0("/v1/token/rejected", name_parameter("?", connection))
    body <- sprintf('{"token":%s}', json_string(token))
    token_in(answer_of(ask_socket(location$path, "POST", target, body)))
  })
}

# The connection whose service is at this origin, or NULL.
connection_at <- function(origin) {
  status <- tryCatch(with_retries(function(location) {
    if (location$kind == "command") return(paste(ask_command(c("status", "--json")), collapse = "\n"))
    answer_of(ask_socket(location$path, "GET", "/v1/status"))
  }), latchkey_error = function(error) "")
  json_key(status, "connections", origin)
}

name_option <- function(connection) if (is.null(connection)) character() else c("--connection", connection)

name_parameter <- function(mark, connection) {
  if (is.null(connection)) "" else paste0(mark, "connection=", utils::URLencode(connection, reserved = TRUE))
}

with_retries <- function(ask) {
  deadline <- now() + if (isTRUE(the$has_answered)) RESTART_S else START_S
  repeat {
    location <- locate_agent()
    result <- tryCatch(
      ask(location),
      latchkey_nobody_answers = function(error) error,
      latchkey_stopping = function(error) error,
      latchkey_too_many_connections = function(error) error
    )
    if (!inherits(result, "error")) {
      the$has_answered <- TRUE
      return(result)
    }
    if (now() >= deadline) {
      the$has_answered <- FALSE
      if (inherits(result, "latchkey_nobody_answers")) no_answer(location, result) else stop(result)
    }
    Sys.sleep(RETRY_S)
  }
}

locate_agent <- function() {
  location <- find_agent()
  if (location$kind == "socket" && !requireNamespace("curl", quietly = TRUE)) list(kind = "command") else location
}

now <- function() proc.time()[["elapsed"]]

answer_of <- function(reply) {
  if (reply$status == 200) return(reply$json)
  code <- json_text(reply$json, "error")
  message <- json_text(reply$json, "message")
  latchkey_abort(
    if (is.null(code)) "unexpected_answer" else code,
    if (is.null(message)) sprintf("Latchkey answered with status %d.", reply$status) else message
  )
}

token_in <- function(json) {
  list(token = checked_token(json_text(json, "token")), origin = json_text(json, "origin"))
}

# Fails unless the token is one line of printable ASCII.
checked_token <- function(token) {
  # SECURITY: a line break in a token would start a new header.
  if (length(token) != 1 || !grepl("^[!-~]+$", token)) {
    latchkey_abort("unexpected_answer", "Latchkey answered with something that is not a token.")
  }
  token
}

# Fails, and says whether Latchkey isn't running, or is running but its agent doesn't answer.
no_answer <- function(location, cause) {
  if (location$kind == "command") latchkey_abort("not_reachable", conditionMessage(cause))
  where <- sprintf("(No answer at %s.)", location$path)
  if (!dir.exists(location$data_folder)) {
    latchkey_abort("not_reachable", paste(
      "Latchkey isn't running, or can't be reached. Start Latchkey.", where
    ))
  }
  if (is_app_running(file.path(location$data_folder, "SingletonLock"))) {
    latchkey_abort("not_reachable", paste(
      "Latchkey is running, but its agent doesn't answer. Latchkey's window says why.", where
    ))
  }
  latchkey_abort("not_running", paste("Latchkey isn't running. Start it and sign in.", where))
}

# Chromium's lock is a symbolic link to `<host name>-<process id>`.
is_app_running <- function(lock) {
  pid <- suppressWarnings(as.integer(sub(".*-", "", Sys.readlink(lock))))
  !is.na(pid) && tools::pskill(pid, 0L)
}
