# Runs the `latchkey` command, for Windows and for R without the curl package. latchkey(1) lists its exit codes.

CODES <- c("2" = "not_reachable", "3" = "signed_out", "4" = "unavailable", "7" = "not_own")

ask_command <- function(words, input = NULL) {
  errors <- tempfile("latchkey")
  on.exit(unlink(errors))
  output <- suppressWarnings(system2("latchkey", shQuote(words), stdout = TRUE, stderr = errors, input = input))
  code <- attr(output, "status")
  if (is.null(code)) return(output)
  sentence <- sub("^latchkey: ", "", paste(readLines(errors, warn = FALSE), collapse = " "))
  if (code == 127) sentence <- "The latchkey command isn't on the PATH. Install Latchkey, or the curl package for R."
  name <- CODES[as.character(code)]
  if (identical(unname(name), "not_reachable")) nobody_answers(sentence)
  latchkey_abort(if (is.na(name)) "unexpected_answer" else name, sentence)
}
