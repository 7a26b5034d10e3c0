# A failure, in words. `code` is the agent's own (docs/agent.openapi.json), such as signed_out, turned_off or unavailable,
# or one of not_running, not_reachable, not_own, timeout, unexpected_answer, foreign_host.
latchkey_abort <- function(code, message) {
  stop(structure(
    class = c(paste0("latchkey_", code), "latchkey_error", "error", "condition"),
    list(message = message, call = NULL, code = code)
  ))
}
