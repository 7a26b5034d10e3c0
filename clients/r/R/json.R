# A small parser for the agent's answers. JSON.stringify writes them, and at most one member of an object is itself an
# object, whose members are texts.

# A member's text, or NULL.
json_text <- function(json, name) {
  found <- regmatches(json, regexec(sprintf('"%s":"((?:[^"\\\\]++|\\\\.)*+)"', name), json, perl = TRUE))[[1]]
  if (length(found) < 2) NULL else json_unescape(found[[2]])
}

# The first member of `json[[name]]` with this text as its value, or NULL.
json_key <- function(json, name, text) {
  inner <- regmatches(json, regexec(sprintf('"%s":\\{([^{}]*)\\}', name), json))[[1]]
  if (length(inner) < 2) return(NULL)
  members <- regmatches(inner[[2]], gregexpr('"[^"]*":"[^"]*"', inner[[2]]))[[1]]
  found <- grep(paste0('":', json_string(text)), members, fixed = TRUE, value = TRUE)
  if (length(found) > 0) sub('^"([^"]*)".*', "\\1", found[[1]])
}

json_unescape <- function(text) {
  if (!grepl("\\", text, fixed = TRUE)) return(text)
  pieces <- regmatches(text, gregexpr("\\\\u[0-9a-fA-F]{4}|\\\\.|[^\\\\]+", text, perl = TRUE))[[1]]
  paste(vapply(pieces, unescape_one, ""), collapse = "")
}

unescape_one <- function(piece) {
  if (!startsWith(piece, "\\")) return(piece)
  kind <- substr(piece, 2, 2)
  if (kind == "u") return(intToUtf8(strtoi(substr(piece, 3, 6), 16L)))
  switch(kind, n = "\n", r = "\r", t = "\t", b = "\b", f = "\f", kind)
}

json_string <- function(text) {
  paste0('"', gsub('(["\\\\])', "\\\\\\1", text), '"')
}
