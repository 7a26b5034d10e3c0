# Sends requests to the agent's socket with the curl package. On Windows, and without curl, command.R asks the agent.

# The agent answers within 30 s, so this is longer.
TIMEOUT_S <- 40

# Nothing listens, or the connection broke: Latchkey isn't running, is starting, or is quitting.
nobody_answers <- function(message) {
  stop(structure(class = c("latchkey_nobody_answers", "error", "condition"), list(message = message, call = NULL)))
}

# The answer's status and its JSON text.
ask_socket <- function(path, method, target, body = NULL, timeout = TIMEOUT_S) {
  name <- file.path(".", basename(path))
  # SECURITY: curl connects from within the folder that was checked, so replacing a folder above has no effect.
  before <- tryCatch(setwd(dirname(path)), error = function(error) nobody_answers(paste("no socket at", path)))
  on.exit(if (!is.null(before)) try(setwd(before), silent = TRUE))
  check_owner(path, name, own_uid())
  if (!identical(the$path, path)) {
    the$handle <- curl::new_handle(unix_socket_path = name, proxy = "", noproxy = "*")
    the$path <- path
  }
  curl::handle_setopt(the$handle, timeout = timeout)
  headers <- list(Host = "localhost", Accept = "application/json", "User-Agent" = tool_name())
  if (is.null(body)) {
    curl::handle_setopt(the$handle, httpget = TRUE, customrequest = method)
  } else {
    headers[["Content-Type"]] <- "application/json"
    curl::handle_setopt(the$handle, post = TRUE, customrequest = method, copypostfields = body)
  }
  curl::handle_setheaders(the$handle, .list = headers)
  answer <- tryCatch(
    # Parent and child would get each other's answers if they used the same connection. curl reuses one only for the
    # same host name, so the host name contains the process id.
    curl::curl_fetch_memory(sprintf("http://process%d.localhost%s", Sys.getpid(), target), the$handle),
    error = function(error) {
      the$path <- NULL
      if (grepl("[Tt]imeout|timed out", conditionMessage(error))) {
        latchkey_abort("timeout", sprintf("Latchkey didn't answer in %.0f s. Try again.", timeout))
      }
      nobody_answers(conditionMessage(error))
    }
  )
  text <- rawToChar(answer$content)
  Encoding(text) <- "UTF-8"
  list(status = answer$status_code, json = text)
}

# SECURITY: another user who owns the socket or its folder could listen there instead of Latchkey, whose own folder is
# closed to others.
check_owner <- function(path, name, uid) {
  found <- file.info(c(".", name), extra_cols = TRUE)
  # Latchkey removes its socket when it ends.
  if (is.na(found$mode[[2]])) nobody_answers(paste("no socket at", path))
  if (anyNA(found$uid) || any(found$uid != uid) || (found$mode[[1]] & as.octmode("22")) != 0) {
    latchkey_abort("not_own", sprintf(
      "%s belongs to another user, so nothing was sent. Run this as the user who runs Latchkey.", path
    ))
  }
}

# The program's name in Latchkey's window: LATCHKEY_TOOL, or the script's own name.
tool_name <- function() {
  given <- Sys.getenv("LATCHKEY_TOOL")
  script <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
  name <- if (nzchar(given)) given else if (length(script) > 0) paste(basename(script[[1]]), "(R)") else "R"
  # SECURITY: a line break in the tool's name would start a new header.
  gsub("[[:cntrl:]]", " ", name)
}
