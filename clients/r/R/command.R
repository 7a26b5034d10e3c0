# Runs the `latchkey` command, for Windows and for R without the curl package. latchkey(1) lists its exit codes.

CODES <- c("2" = "not_reachable", "3" = "signed_out", "4" = "unavailable", "7" = "not_own")

ask_command <- function(words) {
  errors <- tempfile("latchkey")
  on.exit(unlink(errors))
  output <- suppressWarnings(system2("latchkey", shQuote(words), stdout = TRUE, stderr = errors))
  check_code(attr(output, "status"), errors)
  output
}

# Reports a rejected token. SECURITY: system2() would write the rejected token and the new one into files. So the
# rejected one goes through a pipe, and what the command prints is dropped.
tell_command <- function(words, input) {
  errors <- tempfile("latchkey")
  on.exit(unlink(errors))
  nowhere <- if (.Platform$OS.type == "windows") "NUL" else "/dev/null"
  command <- paste("latchkey", paste(shQuote(words), collapse = " "), ">", nowhere, "2>", shQuote(errors))
  connection <- pipe(command, "w")
  code <- tryCatch({
    writeLines(input, connection)
    close(connection)
  }, error = function(error) {
    try(close(connection), silent = TRUE)
    2L
  })
  # close() returns the status of wait(2).
  code <- if (is.null(code)) 0L else if (code > 255) code %/% 256L else code
  check_code(if (code == 0) NULL else code, errors)
}

check_code <- function(code, errors) {
  if (is.null(code)) return(invisible())
  # The last line says what went wrong. If the command waited, it has printed another line before.
  sentence <- sub("^latchkey: ", "", paste(utils::tail(readLines(errors, warn = FALSE), 1), collapse = " "))
  if (code == 127) sentence <- "The latchkey command isn't on the PATH. Install Latchkey, or the curl package for R."
  if (startsWith(sentence, "Turned off ")) latchkey_abort("turned_off", sentence)
  name <- CODES[as.character(code)]
  if (identical(unname(name), "not_reachable")) nobody_answers(sentence)
  latchkey_abort(if (is.na(name)) "unexpected_answer" else name, sentence)
}
