# The agent's objects are flat and written by JSON.stringify, so this small parser is enough.

# The text of a member of an object, or NULL.
json_text <- function(json, name) {
  found <- regmatches(json, regexec(sprintf('"%s":"((?:[^"\\\\]++|\\\\.)*+)"', name), json, perl = TRUE))[[1]]
  if (length(found) < 2) NULL else json_unescape(found[[2]])
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
