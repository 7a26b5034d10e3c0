# Fails with a message for people and a code for programs. `code` is one of the agent's error codes
# (docs/developers/agent.openapi.json), such as signed_out, turned_off or unavailable, or one of this library's own
# codes: not_running, not_reachable, not_own, timeout, unexpected_answer, foreign_host, unencrypted.
latchkey_abort <- function(code, message) {
  stop(structure(
    class = c(paste0("latchkey_", code), "latchkey_error", "error", "condition"),
    list(message = message, call = NULL, code = code)
  ))
}
