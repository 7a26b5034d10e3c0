# Fails with a message for people and a code for programs: one of the agent's (docs/developers/agent.openapi.json), such
# as signed_out or unavailable, or one of this library: not_running, not_reachable, not_own, timeout, unexpected_answer,
# foreign_host, unencrypted.
latchkey_abort <- function(code, message) {
  stop(structure(
    class = c(paste0("latchkey_", code), "latchkey_error", "error", "condition"),
    list(message = message, call = NULL, code = code)
  ))
}
