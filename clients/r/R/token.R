latchkey_token <- function(min_validity = 60, connection = NULL, wait = 0) {
  ask_for_token(min_validity, connection, wait)$token
}

latchkey_rejected <- function(token, connection = NULL) {
  ask_for_another(token, connection)$token
}
