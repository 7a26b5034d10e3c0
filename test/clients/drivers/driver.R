# Reads one command per line, as a JSON object. Executes it with the library and answers with one JSON object.
library(httr2)
library(latchkeydesktop)

fetch <- function(via, url, method = "GET", body = NULL, connection = NULL, hosts = NULL, wait = 0) {
  req <- req_error(req_method(request(url), method), is_error = function(resp) FALSE)
  if (!is.null(body)) req <- req_body_raw(req, body, "text/plain")
  resp_status(req_perform(req_latchkey(req, connection = connection, hosts = hosts, wait = wait)))
}

after_fork <- function(count) {
  first <- latchkey_token()
  several <- function(...) vapply(1:20, function(...) latchkey_token(), "")
  children <- lapply(seq_len(count), function(...) parallel::mcparallel(several()))
  own <- several()
  c(first, own, unlist(parallel::mccollect(children), use.names = FALSE))
}

loop <- function(seconds) {
  end <- Sys.time() + seconds
  done <- 0
  failed <- list()
  while (Sys.time() < end) {
    tryCatch({
      latchkey_token()
      done <- done + 1
    }, error = function(error) failed[[length(failed) + 1]] <<- conditionMessage(error))
    Sys.sleep(0.02)
  }
  list(done = done, failed = failed)
}

# Requests a URL, and then another URL with the same request object, as code that follows a link does. The second
# server must not get the token.
follow_link <- function(first, second) {
  req <- req_latchkey(req_error(request(first), is_error = function(resp) FALSE))
  c(resp_status(req_perform(req)), resp_status(req_perform(req_url(req, second))))
}

where <- function(platform, env = list(), there = list()) {
  sysname <- c(linux = "Linux", darwin = "Darwin", win32 = "Windows")[[platform]]
  location <- latchkeydesktop:::locate(sysname, c(unlist(env), character()), "/home/ana", 1000L, function(path) path %in% there)
  location[c("path", "data_folder")]
}

commands <- list(
  locate = where,
  origin = function(url) latchkeydesktop:::origin_of(url),
  token = latchkey_token,
  rejected = latchkey_rejected,
  fetch = fetch,
  after_fork = after_fork,
  loop = loop,
  follow_link = follow_link
)

input <- file("stdin", open = "r")
while (length(line <- readLines(input, 1)) > 0) {
  order <- jsonlite::fromJSON(line)
  name <- order$do
  Sys.setenv(LATCHKEY_SOCKET = order$socket)
  order$do <- order$socket <- NULL
  answer <- tryCatch(
    list(value = do.call(commands[[name]], order)),
    latchkey_error = function(error) list(code = error$code, message = conditionMessage(error)),
    error = function(error) {
      # httr2 wraps the library's errors, so the library's own error is the parent.
      cause <- error$parent
      if (inherits(cause, "latchkey_error")) list(code = cause$code, message = conditionMessage(cause))
      else list(code = class(error)[[1]], message = conditionMessage(error))
    }
  )
  cat(jsonlite::toJSON(answer, auto_unbox = TRUE, null = "null"), "\n", sep = "")
}
