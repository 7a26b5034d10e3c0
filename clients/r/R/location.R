# Finds the agent's socket. On Windows, the agent has a pipe, which R can't open, so R runs the `latchkey` command.
#
# `sysname`: Sys.info()[["sysname"]]. `is_there`: a function that checks if a path exists.
locate <- function(sysname, env, home, uid, is_there) {
  get <- function(name) if (is.na(env[name])) "" else env[[name]]
  if (sysname == "Windows") return(list(kind = "command"))
  socket <- function(path, data_folder) list(kind = "socket", path = path, data_folder = data_folder)
  override <- get("LATCHKEY_SOCKET")
  # With --user-data-dir, socket and lock are in the same folder.
  if (nzchar(override)) return(socket(override, dirname(override)))
  if (sysname == "Darwin") {
    folder <- file.path(home, "Library", "Application Support", "Latchkey")
    return(socket(file.path(folder, "agent.sock"), folder))
  }
  config <- get("XDG_CONFIG_HOME")
  folder <- file.path(if (nzchar(config)) config else file.path(home, ".config"), "Latchkey")
  in_data <- file.path(folder, "agent.sock")
  runtime <- get("XDG_RUNTIME_DIR")
  if (startsWith(runtime, "/")) {
    in_runtime <- file.path(runtime, "latchkey", "agent.sock")
    return(socket(if (is_there(in_data) && !is_there(in_runtime)) in_data else in_runtime, folder))
  }
  # XDG_RUNTIME_DIR may be missing although its folder exists, for example in a cron job.
  in_run <- sprintf("/run/user/%d/latchkey/agent.sock", uid)
  socket(if (is_there(in_run) && !is_there(in_data)) in_run else in_data, folder)
}

find_agent <- function() {
  locate(Sys.info()[["sysname"]], Sys.getenv(), path.expand("~"), own_uid(), file.exists)
}

# The owner of this R session's temporary folder. This runs only once, because R also looks up the names of owner and
# group, which takes time.
own_uid <- function() {
  if (is.null(the$uid)) the$uid <- file.info(tempdir())$uid
  the$uid
}
