# latchkey for Windows PowerShell 5.1 and PowerShell 7, with the exit codes of the sh script. Latchkey writes the name
# of its pipe, and the secret that each request must contain, to a file in the user's profile, where no other user can
# read.
#
# NamedPipeClientStream: https://learn.microsoft.com/dotnet/api/system.io.pipes.namedpipeclientstream
# PipeStream.GetAccessControl: https://learn.microsoft.com/dotnet/api/system.io.pipes.pipestream.getaccesscontrol
# PipesAclExtensions: https://learn.microsoft.com/dotnet/api/system.io.pipes.pipesaclextensions
# Environment.GetCommandLineArgs: https://learn.microsoft.com/dotnet/api/system.environment.getcommandlineargs
# ProcessStartInfo: https://learn.microsoft.com/dotnet/api/system.diagnostics.processstartinfo
# CommandLineToArgvW: https://learn.microsoft.com/windows/win32/api/shellapi/nf-shellapi-commandlinetoargvw
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'

$Version = '0.1.0'
# begin: usage, written by `npm run docs` from commands.mjs
$Usage = @'
Usage: latchkey token [--min-validity SECONDS] [--wait[=DURATION]]
                      [--connection NAME] [--format FORMAT]
       latchkey header [--min-validity SECONDS] [--wait[=DURATION]]
                       [--connection NAME]
       latchkey exec [--min-validity SECONDS [--best-effort]]
                     [--wait[=DURATION]] [--until TIME [--strict]]
                     [--connection NAME] [--] COMMAND [ARGUMENT...]
       latchkey rejected [--connection NAME]
       latchkey status [--json] [--until TIME] [--connection NAME]
       latchkey sign-out [--connection NAME | --all]
       latchkey socket
       latchkey mcp [--connection NAME] [--config CLIENT] [URL]
       latchkey gateway [--new-password] [--connection NAME]
       latchkey open
       latchkey clients [python | r | node]
       latchkey doctor [--log]
       latchkey policy check [FILE | --installed]
       latchkey --help | --version

A valid access token from the Latchkey that runs on this desktop.

  token     prints the access token
  header    prints the token as an Authorization header
  exec      runs COMMAND with the token in its environment, as ACCESS_TOKEN
  rejected  reads a rejected token from standard input, and prints the one to
            use instead
  status    prints the state of the session, or whether it is expected to last
  sign-out  ends the session, here and at the service
  socket    prints the path of the file that names the agent's pipe
  mcp       is an MCP server for AI clients: adds the token to each request and
            forwards it to URL, by default the path mcp below the data address
  gateway   prints the gateway's address, username and state, for Excel and
            other programs that take a username and a password
  open      shows Latchkey's window; starts Latchkey if it isn't running, and
            waits until it answers
  clients   prints the folder of the libraries for Python, R and Node, or the
            path of one
  doctor    checks this computer, and prints problems with advice
  policy    says what a policy does, and what is wrong in it: a policy.json or
            .reg file, or what is installed on this computer

  --min-validity SECONDS  the token must be valid for at least this long; if it
                          isn't, token and header warn, and exec exits with 4
  --best-effort           exec warns, too, and runs COMMAND anyway
  --wait[=DURATION]       waits until there is a token, even if Latchkey must
                          be started first: seconds, or 30m, 2h, 3d; by default
                          up to 7d
  --connection NAME       the connection to use; by default the first one
  --format FORMAT         the format that token prints: text, json, oauth,
                          headers or kubernetes
  --new-password          gateway makes a new password, and prints only that
  --until TIME            how long the session must last: until a time such as
                          07:00, or for 8h, 30m or 3600 seconds; status says
                          whether it is expected to, and exec warns if not
  --strict                exec runs COMMAND only if the session is expected to
                          last until TIME
  --all                   signs out of all connections
  --config CLIENT         prints what to add to the configuration of claude,
                          cursor or vscode
  --json                  prints the status as JSON
  --log                   prints the log's path and last lines instead
  --installed             checks what is installed here; the default
'@
# end: usage
$More = @'


Environment: LATCHKEY_SOCKET, the path of the agent's file; LATCHKEY_TOOL, the
name shown in Latchkey's window; LATCHKEY_APP, the app's program, for open,
doctor and policy.

Exit codes: 0 done, 1 wrong usage, 2 Latchkey isn't running, 3 not signed in,
4 no token is available now, 5 an unexpected answer, 7 the pipe belongs to
another user and nothing was sent. exec: COMMAND's own code, 4 if no token is
valid for --min-validity (unless --best-effort) or --strict forbids it, 125 for
all failures above, 126 if COMMAND can't be run, 127 if it can't be found.
status --until: 0 the session is expected to last, 1 it is expected to end
before, 3 not signed in, 6 not known. sign-out: 0 signed out, 4 signed out here
while Latchkey still has to tell the service, 5 not signed out because a new
recovery code would be lost. doctor, policy: 0 if nothing is wrong, 1 if
something is, 2 if the app can't be found. open: 2 if the app can't be found,
or doesn't answer in 30 seconds. clients: 2 if the libraries can't be found.
'@

# begin: options, written by `npm run docs` from commands.mjs
# Unlike @{}, this hash table distinguishes upper and lower case.
$Options = New-Object System.Collections.Hashtable
$Options['token'] = @('--min-validity', '--wait', '--connection', '--format')
$Options['header'] = @('--min-validity', '--wait', '--connection')
$Options['exec'] = @('--min-validity', '--best-effort', '--wait', '--until', '--strict', '--connection')
$Options['rejected'] = @('--connection')
$Options['status'] = @('--json', '--until', '--connection')
$Options['sign-out'] = @('--connection', '--all')
$Options['socket'] = @()
$Options['mcp'] = @('--connection', '--config')
$Options['gateway'] = @('--new-password', '--connection')
$Options['open'] = @()
$Options['clients'] = @()
$Options['doctor'] = @('--log')
$Options['policy'] = @('--installed')
# end: options

$Command = ''
$IsWaiting = $false
$Utf8 = New-Object System.Text.UTF8Encoding $false

# SECURITY: a terminal obeys control characters, and bidirectional controls reorder text. The sh script replaces the
# same characters.
$Obeyed = '[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'
# In text that isn't valid Unicode, some surrogates have no partner.
$Unpaired = '[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]'

# Prints a sentence, which may quote an argument or a variable, to standard error.
function Write-Complaint([string] $Sentence) {
  [Console]::Error.WriteLine("latchkey: $($Sentence -creplace "$Obeyed|$Unpaired", '?')")
}

function Fail([int] $Code, [string] $Sentence) {
  Write-Complaint $Sentence
  if ($script:Command -ceq 'exec') { exit 125 }
  exit $Code
}

# Handles a request that nothing answered: exits with an error or, in a command that waits, throws so that the command
# asks again.
function Stop-Unanswered([int] $Code, [string] $Sentence) {
  if ($script:IsWaiting) { throw (New-Object System.TimeoutException $Sentence) }
  Fail $Code $Sentence
}

# The lines of the usage that are about $Command.
function Get-Usage {
  $keeps = $false
  $shown = foreach ($line in $Usage -split '\r?\n') {
    if ($line -cmatch '\A(?:Usage:|      ) latchkey (\S+)(.*)\z') {
      $keeps = $Matches[1] -ceq $Command
      $line = "Usage: latchkey $Command$($Matches[2])"
    } elseif ($line -cmatch '\A  ([a-z-]+)') {
      $keeps = $Matches[1] -ceq $Command -or $Options[$Command] -ccontains $Matches[1]
    } elseif ($line -notlike '   *') { $keeps = $line -ceq '' }
    if ($keeps) { $line }
  }
  return (($shown -join "`n") -replace '\n{3,}', "`n`n").TrimEnd() + "`n`nlatchkey --help lists all commands, the environment and the exit codes."
}

function Stop-Usage([string] $Sentence) { Fail 1 "$Sentence; see latchkey --help" }

# The path of the file that Latchkey writes.
function Get-AgentFile {
  if ($env:LATCHKEY_SOCKET) { return $env:LATCHKEY_SOCKET }
  return Join-Path (Join-Path "$env:LOCALAPPDATA" 'Latchkey') 'agent.json'
}

# The pipe's name and the secret.
function Get-Agent {
  $file = Get-AgentFile
  try {
    $agent = [System.IO.File]::ReadAllText($file) | ConvertFrom-Json
    # SECURITY: accepts only a pipe on this machine, and a secret without characters that would change the request.
    if (-not ($agent.secret -cmatch '\A[\w.~+/=-]+\z')) { throw 'secret' }
    if (-not ($agent.pipe -cmatch '\A\\\\\.\\pipe\\([\w.-]+)\z')) { throw 'pipe' }
    return $Matches[1], $agent.secret
  } catch {
    Stop-Unanswered 2 "Latchkey isn't running, or can't be reached: start Latchkey, or run latchkey open (nothing usable in $file)"
  }
}

# SECURITY: when Latchkey has ended, another user can create a pipe with the same name. That user then owns the pipe,
# because only an administrator can give it another owner. GetAccessControl is a method of the pipe in .NET Framework
# (PowerShell 5.1), and an extension method later.
function Test-OwnPipe($Pipe) {
  $security = if ($PSVersionTable.PSVersion.Major -ge 6) {
    [System.IO.Pipes.PipesAclExtensions]::GetAccessControl($Pipe)
  } else { $Pipe.GetAccessControl() }
  $owner = $security.GetOwner([System.Security.Principal.SecurityIdentifier])
  # What an elevated administrator creates belongs to the administrators' group.
  $administrators = New-Object System.Security.Principal.SecurityIdentifier 'S-1-5-32-544'
  return $owner.Equals([System.Security.Principal.WindowsIdentity]::GetCurrent().User) -or $owner.Equals($administrators)
}

# The name that Latchkey shows for this call: the program that exec runs or, for other commands, the calling program,
# and then this command in brackets. A cmd.exe in between is skipped, because it only runs latchkey.cmd for its caller.
function Get-ToolName {
  $own = "latchkey $script:Command"
  try {
    $name = [System.IO.Path]::GetFileName($script:Job) -replace '[\x00-\x1f\x7f]', ''
    if ($name) { return "$name ($own)" }
    $id = $PID
    do {
      $process = Get-CimInstance Win32_Process -Filter "ProcessId=$id" -Property 'Name', 'ParentProcessId'
      $isBetween = $id -eq $PID -or $process.Name -ieq 'cmd.exe'
      $id = $process.ParentProcessId
    } while ($isBetween)
    $name = [System.IO.Path]::GetFileNameWithoutExtension($process.Name) -replace '[\x00-\x1f\x7f]', ''
    if ($name) { return "$name ($own)" }
  } catch { }
  return $own
}

# Opens a pipe to the agent and writes a request. In HTTP/1.0, the answer has no chunks, and ends with the connection.
function Open-Request([string] $Method, [string] $Path, [string] $Accept, [string[]] $Headers, [string] $Http = '1.0') {
  $name, $secret = Get-Agent
  $tool = if ($env:LATCHKEY_TOOL) { $env:LATCHKEY_TOOL } else { Get-ToolName }
  # SECURITY: a line break in the tool's name would start a new header.
  if ($tool -match '[\x00-\x1f\x7f]') { Fail 1 'LATCHKEY_TOOL must be one line without control characters' }
  $head = @(
    "$Method /v1/$Path HTTP/$Http", 'Host: localhost', "User-Agent: $tool", "Accept: $Accept"
    "Authorization: Bearer $secret"
  ) + $Headers + @('', '') -join "`r`n"
  # SECURITY: at the level Anonymous, the pipe's server can't act as this user.
  $pipe = New-Object System.IO.Pipes.NamedPipeClientStream('.', $name, [System.IO.Pipes.PipeDirection]::InOut,
    [System.IO.Pipes.PipeOptions]::Asynchronous, [System.Security.Principal.TokenImpersonationLevel]::Anonymous)
  try { $pipe.Connect(5000) } catch { Stop-Unanswered 2 "Latchkey isn't running, or can't be reached: start Latchkey, or run latchkey open" }
  $isOwn = try { Test-OwnPipe $pipe } catch { $false }
  if (-not $isOwn) { Fail 7 "the pipe $name belongs to another user, so nothing was sent; start Latchkey again" }
  [byte[]] $request = $Utf8.GetBytes($head)
  $pipe.Write($request, 0, $request.Length)
  return $pipe
}

# The answer's status and body.
function Send-Request([string] $Method, [string] $Path, [string] $Accept, [string] $Body = '', [int] $TimeoutMs = 40000) {
  $content = $Utf8.GetBytes($Body)
  $pipe = $null
  try {
    $pipe = Open-Request $Method $Path $Accept @('Content-Type: application/json', "Content-Length: $($content.Length)")
    $pipe.Write($content, 0, $content.Length)
    $reading = (New-Object System.IO.StreamReader($pipe, $Utf8)).ReadToEndAsync()
    if (-not $reading.Wait($TimeoutMs)) { Stop-Unanswered 4 "Latchkey didn't answer in $($TimeoutMs / 1000) s; try again" }
    $answer = $reading.Result
  } catch [System.IO.IOException], [System.AggregateException] {
    Stop-Unanswered 4 'the connection to Latchkey was interrupted; try again'
  } finally {
    if ($null -ne $pipe) { $pipe.Dispose() }
  }
  # Latchkey has ended.
  if ($answer -ceq '') { Stop-Unanswered 4 'the connection to Latchkey was interrupted; try again' }
  if (-not ($answer -cmatch '\AHTTP/1\.[01] (\d{3})[^\n]*\n')) { Fail 5 "Latchkey gave an unexpected answer" }
  return [int] $Matches[1], ($answer -split "`r`n`r`n", 2)[1].TrimEnd("`r", "`n")
}

# True for a message of the agent: one line that is neither JSON nor HTML.
function Test-Line([string] $Text) { $Text -cmatch '\A[^{<]' -and $Text -cnotmatch "$Obeyed|$Unpaired" }

function Stop-Refused([int] $Status, [string] $Body) {
  # For status --json, the message is a field of a JSON object.
  if ($Body -cmatch '\A\{.*"message":"([^"]*)"') { $Body = $Matches[1] }
  $code, $sentence = switch ($Status) {
    400 { 1, 'Latchkey refused the request; make sure that Latchkey is as new as this command' }
    401 { 3, 'not signed in; open Latchkey and sign in' }
    404 { 1, "Latchkey doesn't know this request; make sure that Latchkey is as new as this command" }
    503 { 4, "Latchkey can't get a token right now and keeps trying; its window shows why" }
    default { 5, "Latchkey refused the request (status $Status); make sure that Latchkey is as new as this command" }
  }
  if ($Body -clike 'Latchkey is quitting, *' -or $Body -clike 'Turned off *') { $code = 2 }
  if (Test-Line $Body) { $sentence = $Body }
  Fail $code $sentence
}

# SECURITY: a line break in a token would start a new header, and a terminal obeys control characters. A token is
# visible ASCII without spaces.
function Test-Token([string] $Text) { $Text -cmatch '\A[!-~]+\z' }

# Asks until there is a token, or $Wait seconds are over; Latchkey may restart meanwhile. Returns the status and body of
# a final answer, or nothing.
function Wait-Token([string] $Query) {
  $left = $Wait
  $most = 1
  $mark = if ($Query) { '&' } else { '?' }
  while ($left -gt 0) {
    $most = [Math]::Min($left, $most)
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    try {
      $script:IsWaiting = $true
      $status, $body = Send-Request GET "token$Query${mark}wait=$most&strict=true" 'text/plain' '' (1000 * ($most + 40))
      $mayWait = $status -eq 401 -or ($status -eq 503 -and $body -cnotlike 'Turned off *')
      # The agent answers 412 before the wait is over only if even a new token would expire too soon.
      if ($status -eq 412 -and $watch.Elapsed.TotalSeconds -lt $most) { return }
      if (-not $mayWait -and $status -ne 412) { return $status, $body }
    } catch [System.TimeoutException] {
      # Nothing answered.
    } finally {
      $script:IsWaiting = $false
    }
    # The message doesn't appear in the first second, because the token may be on its way.
    if ($left -eq $Wait) { Write-Complaint "waiting for a token$($Connection -replace '\Aconnection=', ' of '); open Latchkey and sign in" }
    # Latchkey isn't running, or has quit.
    if ($watch.Elapsed.TotalSeconds -lt $most) { Start-Sleep -Seconds 1 }
    # At most the time of one request is subtracted: if more has passed, the computer slept, and nobody could sign in.
    $left -= [Math]::Max(1, [Math]::Min($most + 1, [int] $watch.Elapsed.TotalSeconds))
    $most = 300
  }
}

# Returns the answer with a token; fails without one. If no token is valid as long as --min-validity requires, exec
# fails, unless it has --best-effort. Other commands warn, and get the token that is valid longest.
function Get-Answer([string] $Query) {
  $status, $body = if ($Wait -gt 0) { Wait-Token $Query }
  if ($null -eq $status) { $status, $body = Send-Request GET "token$Query$Strict" 'text/plain' }
  if ($status -eq 412) {
    if (-not (Test-Line $body)) { $body = 'The access token is valid for less time than --min-validity asks for.' }
    if ($script:Command -ceq 'exec' -and -not $BestEffort) {
      Write-Complaint "$body Run it anyway with --best-effort."
      exit 4
    }
    Write-Complaint $body
    $status, $body = Send-Request GET "token$Query" 'text/plain'
  }
  if ($status -ne 200) { Stop-Refused $status $body }
  return $body
}

function Get-Token([string] $Query) {
  $body = Get-Answer $Query
  if (-not (Test-Token $body)) { Fail 5 'Latchkey answered with something that is not a token' }
  return $body
}

# The agent writes all formats except the bare token as one line of JSON.
function Get-Formatted([string] $Query) {
  $body = Get-Answer $Query
  if ($body -cnotmatch '\A\{.+\}\z' -or $body -cmatch "$Obeyed|$Unpaired") { Fail 5 'Latchkey answered with something that is not a token' }
  return $body
}

function Get-Lines([string] $Path, [string] $Accept) {
  $status, $body = Send-Request GET $Path $Accept
  if ($status -ne 200) { Stop-Refused $status $body }
  if (($body -replace '\r?\n', '') -cmatch "$Obeyed|$Unpaired") { Fail 5 'Latchkey answered with something that is not a status' }
  return $body
}

# Returns the status. With --until, stores in $Outlook the exit code that says whether the session is expected to last,
# and in $Message the message about it.
function Get-Status([string] $Accept) {
  $body = Get-Lines "status$(Get-Query @($Connection, $Until))" $Accept
  if (-not $Until) { return $body }
  # In JSON, quotes within a value are escaped, so this matches only the field.
  $pattern = if ($Accept -ceq 'text/plain') { '(?m)^outlook: (\w+)\r?$' } else { '"outlook":"(\w+)"' }
  $outlook = if ($body -cmatch $pattern) { $Matches[1] } else { '' }
  $codes = @{ lasts = 0; ends_before = 1; signed_out = 3; not_known = 6 }
  if (-not $codes.ContainsKey($outlook)) { Fail 5 'Latchkey answered with something that is not a status' }
  $script:Outlook = $codes[$outlook]
  if ($body -cmatch '(?m)^message: (.*?)\r?$') { $script:Message = $Matches[1] }
  return $body
}

# Warns if the session may end before --until; with --strict, exits.
function Test-Outlook {
  $null = Get-Status 'text/plain'
  if ($Outlook -eq 0) { return }
  if ($Strictly) {
    Write-Complaint "$Message The command was not run, because of --strict."
    exit 4
  }
  Write-Complaint $Message
}

function Get-Query([string[]] $Parameters) {
  $given = @($Parameters | Where-Object { $_ })
  if ($given.Count -gt 0) { return "?$($given -join '&')" }
  return ''
}

# Escapes an argument for CommandLineToArgvW: quotes, and backslashes before quotes. Encloses it in quotes if one of its
# characters could mean something to a program.
function ConvertTo-Argument([string] $Text) {
  if ($Text -cmatch '\A[A-Za-z0-9_./:\\-]+\z') { return $Text }
  return '"' + (($Text -replace '(\\*)"', '$1$1\"') -replace '(\\+)\z', '$1$1') + '"'
}

# SECURITY: cmd.exe runs batch files and parses command lines by its own rules (CVE-2024-24576): a quote in an argument
# ends the quoting, and a variable between percent signs is expanded even in quotes. Neither can be escaped reliably.
function ConvertTo-BatchArgument([string] $Text) {
  if ($Text -match '["%\x00-\x1f]') {
    Fail 1 'exec can''t give a batch file (.cmd, .bat) an argument with a quote, a percent sign or a line break'
  }
  return '"' + ($Text -replace '(\\+)\z', '$1$1') + '"'
}

# https://learn.microsoft.com/windows/win32/procthread/environment-variables
$LongestVariable = 32767

# Runs COMMAND with the token in its environment, never in an argument, and with this process's own input and output, so
# that every byte passes unchanged.
function Invoke-WithToken([string[]] $Words, [string] $Token) {
  if ("ACCESS_TOKEN=$Token".Length -ge $LongestVariable) {
    Fail 5 'the token is too long for an environment variable; use latchkey token instead'
  }
  $found = Get-Command -Name $Words[0] -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $found) {
    Write-Complaint "$($Words[0]): not found"
    exit 127
  }
  $start = New-Object System.Diagnostics.ProcessStartInfo
  $start.FileName = $found.Path
  # SECURITY: Windows ignores dots and spaces at the end of a file's name, so 'x.cmd.' is a batch file (CVE-2024-43402).
  $isBatch = $found.Path -match '\.(bat|cmd)[. ]*\z'
  $start.Arguments = @($Words | Select-Object -Skip 1 | ForEach-Object {
      if ($isBatch) { ConvertTo-BatchArgument $_ } else { ConvertTo-Argument $_ }
    }) -join ' '
  $start.WorkingDirectory = (Get-Location -PSProvider FileSystem).ProviderPath
  $start.UseShellExecute = $false
  $start.EnvironmentVariables['ACCESS_TOKEN'] = $Token
  try { $process = [System.Diagnostics.Process]::Start($start) } catch {
    Write-Complaint "$($Words[0]): can't be run"
    exit 126
  }
  $process.WaitForExit()
  exit $process.ExitCode
}

# Passes standard input to Latchkey, and Latchkey's messages to standard output, until either ends. Each direction has
# its own pipe.
function Invoke-Mcp([string] $Query) {
  $status, $bridge = Send-Request POST "mcp$Query" 'text/plain'
  if ($status -ne 200) { Stop-Refused $status $bridge }
  if ($bridge -cnotmatch '\A[0-9a-f]+\z') { Fail 5 'Latchkey answered with something that is not a bridge' }
  $receiver = Open-Request GET "mcp/receive?bridge=$bridge" 'application/x-ndjson' @()
  $sender = Open-Request POST "mcp/send?bridge=$bridge" 'text/plain' @('Transfer-Encoding: chunked') '1.1'
  $end = ''
  while (-not $end.EndsWith("`r`n`r`n")) {
    $byte = $receiver.ReadByte()
    if ($byte -lt 0) { Fail 4 'the connection to Latchkey was interrupted; try again' }
    $end += [char] $byte
  }
  if ($end -cnotmatch '\AHTTP/1\.[01] 200 ') { Fail 5 'Latchkey gave an unexpected answer' }
  $output = [Console]::OpenStandardOutput()
  $receiving = $receiver.CopyToAsync($output, 4096)
  $standard = [Console]::OpenStandardInput()
  $buffer = New-Object byte[] 65536
  $reading = $standard.ReadAsync($buffer, 0, $buffer.Length)
  while ([System.Threading.Tasks.Task]::WaitAny([System.Threading.Tasks.Task[]] @($receiving, $reading)) -eq 1) {
    $count = $reading.Result
    [byte[]] $chunk = $Utf8.GetBytes("$($count.ToString('x'))`r`n")
    $sender.Write($chunk, 0, $chunk.Length)
    $sender.Write($buffer, 0, $count)
    $sender.Write([byte[]] (13, 10), 0, 2)
    if ($count -eq 0) { break }
    $reading = $standard.ReadAsync($buffer, 0, $buffer.Length)
  }
  [void] $receiving.Wait(5000)
  $output.Flush()
  # The status is 404 if the client ended the bridge. Otherwise Latchkey ended it, and the answer says why.
  $status, $body = Send-Request GET "mcp/receive?bridge=$bridge" 'text/plain'
  if ($status -ne 404) { Stop-Refused $status $body }
  exit 0
}

# What to add to the configuration of an AI client.
function Get-Config([string] $Client, [string] $Url) {
  $arguments = @('-NoLogo', '-NoProfile', '-NonInteractive', '-ExecutionPolicy', 'Bypass', '-File', $PSCommandPath, 'mcp')
  if ($Connection) { $arguments += "--$Connection" }
  if ($Url) { $arguments += $Url }
  $command = Join-Path $env:SystemRoot 'System32\WindowsPowerShell\v1.0\powershell.exe'
  $key = if ($Client -ceq 'vscode') { 'servers' } else { 'mcpServers' }
  [Console]::Error.WriteLine("latchkey: $(switch -CaseSensitive ($Client) {
    'claude' { 'for Claude Code, add this to .mcp.json in your project' }
    'cursor' { 'for Cursor, add this to ~/.cursor/mcp.json' }
    'vscode' { 'for VS Code, add this to .vscode/mcp.json in your project' }
  })")
  $name = if ($Connection) { $Connection -replace '\Aconnection=', 'latchkey-' } else { 'latchkey' }
  return @{ $key = @{ $name = @{ type = 'stdio'; command = $command; args = $arguments } } } | ConvertTo-Json -Depth 5
}

function Get-App {
  $app = if ($env:LATCHKEY_APP) { $env:LATCHKEY_APP } else { Join-Path $PSScriptRoot '..\..\Latchkey.exe' }
  if (Test-Path -LiteralPath $app -PathType Leaf) { return $app }
  Fail 2 "Latchkey can't be found: install it, or set LATCHKEY_APP to its program, Latchkey.exe"
}

# The number of seconds in a duration such as 90, 30m, 2h or 1d; at most a week.
function Get-Duration([string] $Text) {
  $seconds = 604801
  if ($Text -cmatch '\A(0|[1-9][0-9]{0,5})([smhd]?)\z') {
    $units = @{ '' = 1; 's' = 1; 'm' = 60; 'h' = 3600; 'd' = 86400 }
    $seconds = [int] $Matches[1] * $units[$Matches[2]]
  }
  if ($seconds -gt 604800) { Stop-Usage '--wait takes seconds, or a duration such as 30m, 2h or 7d; at most 7d' }
  return $seconds
}

# Runs the app, which prints what the switch asks for. A GUI program has a standard output only if its caller gives it
# one.
function Invoke-App([string] $Switch) {
  $start = New-Object System.Diagnostics.ProcessStartInfo
  $start.FileName = Get-App
  $start.Arguments = "$(ConvertTo-Argument $Switch) --log-level=3"
  $start.WorkingDirectory = (Get-Location -PSProvider FileSystem).ProviderPath
  $start.UseShellExecute = $false
  $start.RedirectStandardOutput = $true
  $start.StandardOutputEncoding = $Utf8
  $process = [System.Diagnostics.Process]::Start($start)
  while ($null -ne ($line = $process.StandardOutput.ReadLine())) { [Console]::Out.WriteLine($line) }
  $process.WaitForExit()
  exit $process.ExitCode
}

# The path of a language's library, or of the folder with all of them.
function Get-Client([string] $Language) {
  $folder = [System.IO.Path]::GetFullPath((Join-Path $PSScriptRoot '..\clients'))
  if (-not (Test-Path -LiteralPath $folder -PathType Container)) {
    Fail 2 "the libraries can't be found: install Latchkey $Version"
  }
  switch -CaseSensitive ($Language) {
    'python' { return Join-Path $folder "latchkey_desktop-$Version-py3-none-any.whl" }
    'r' { return Join-Path $folder "latchkeydesktop_$Version.tar.gz" }
    'node' { return Join-Path $folder "latchkey-desktop-$Version.tgz" }
  }
  return $folder
}

$words = [System.Collections.Generic.List[string]]::new()
# PowerShell's -File splits an argument that begins with a dash at its colon (PowerShell/PowerShell#16432). The
# process's command line contains the argument unchanged.
$line = [Environment]::GetCommandLineArgs()
$file = [Array]::IndexOf($line, '-File')
$isStarted = $file -ge 0 -and $file + 1 -lt $line.Count -and $line[$file + 1] -ieq $PSCommandPath
$given = if ($isStarted) { $line | Select-Object -Skip ($file + 2) } else { $args }
foreach ($word in $given) { $words.Add([string] $word) }
$next = 0
if ($words.Count -gt 0) { $Command = $words[$next++] }
$isHelp = { param($Word) @('-h', '--help') -ccontains $Word }
if (& $isHelp $Command) { [Console]::Out.WriteLine($Usage + $More); exit 0 }
if ($Command -ceq '--version') { [Console]::Out.WriteLine("latchkey $Version"); exit 0 }
if ($Command -ceq '') { Stop-Usage 'a command is missing' }
if (-not $Options.ContainsKey($Command)) {
  Stop-Usage "there is no command '$Command'"
}

$parameters = [System.Collections.Generic.List[string]]::new()
$Strict = ''
$BestEffort = $false
$Wait = 0
$newPassword = $false
$Connection = ''
$Until = ''
$Strictly = $false
$all = ''
$Outlook = 0
$Message = ''
$format = 'text/plain'
$tokenFormat = 'text'
$Job = ''
$language = ''
$url = ''
$client = ''
$doctor = '--doctor'
$verb = ''
$policy = ''
while ($next -lt $words.Count) {
  $word = $words[$next]
  if ($Command -ceq 'exec' -and $word -notlike '-*') { break }
  $next++
  if ($Command -ceq 'exec' -and $word -ceq '--') { break }
  if ($Command -ceq 'exec' -and $word -ceq '--best-effort') { $BestEffort = $true; continue }
  if ($Options[$Command] -ccontains '--wait' -and $word -cmatch '\A--wait(=(.*))?\z') {
    $Wait = 604800
    if ($Matches.ContainsKey(2)) { $Wait = Get-Duration $Matches[2] }
    continue
  }
  if ($Command -ceq 'gateway' -and $word -ceq '--new-password') { $newPassword = $true; continue }
  if ($Command -ceq 'exec' -and $word -ceq '--strict') { $Strictly = $true; continue }
  if ($Command -ceq 'sign-out' -and $word -ceq '--all') { $all = 'all=true'; continue }
  if (& $isHelp $word) { [Console]::Out.WriteLine((Get-Usage)); exit 0 }
  if ($Command -ceq 'status' -and $word -ceq '--json') { $format = 'application/json'; continue }
  if ($Options[$Command] -ccontains '--connection' -and $word -cmatch '\A--connection(=(.*))?\z') {
    $name = if ($Matches.ContainsKey(2)) { $Matches[2] } elseif ($next -lt $words.Count) { $words[$next++] } else { '' }
    if ($name -cnotmatch '\A[a-z0-9_-]+\z') {
      Stop-Usage '--connection takes the name of a connection; latchkey status lists the names'
    }
    $Connection = "connection=$name"
    $parameters.Add($Connection)
    continue
  }
  if ($Options[$Command] -ccontains '--until' -and $word -cmatch '\A--until(=(.*))?\z') {
    $time = if ($Matches.ContainsKey(2)) { $Matches[2] } elseif ($next -lt $words.Count) { $words[$next++] } else { '' }
    if ($time -cnotmatch '\A[0-9:smhd]{1,13}\z') {
      Stop-Usage '--until takes a time such as 07:00, or a duration such as 8h, 30m or 3600 (seconds)'
    }
    $Until = "until=$time"
    continue
  }
  if ($Command -ceq 'doctor' -and $word -ceq '--log') { $doctor = '--doctor-log'; continue }
  if ($Command -ceq 'policy' -and $word -cmatch '\A([^-].*|--installed)\z') {
    if (-not $verb) {
      if ($word -cne 'check') { Stop-Usage "policy doesn't take '$word'" }
      $verb = $word
    } elseif ($policy) { Stop-Usage 'policy check takes one file, or --installed' } else { $policy = $word }
    continue
  }
  if ($Command -ceq 'mcp' -and $word -cmatch '\A[^-]') {
    if ($url) { Stop-Usage 'mcp takes one URL' }
    $url = $word
    continue
  }
  if ($Options[$Command] -ccontains '--config' -and $word -cmatch '\A--config(=(.*))?\z') {
    $client = if ($Matches.ContainsKey(2)) { $Matches[2] } elseif ($next -lt $words.Count) { $words[$next++] } else { '' }
    if (@('claude', 'cursor', 'vscode') -cnotcontains $client) { Stop-Usage '--config takes claude, cursor or vscode' }
    continue
  }
  if ($Command -ceq 'clients' -and $language -ceq '' -and @('python', 'r', 'node') -ccontains $word) {
    $language = $word
    continue
  }
  if ($Options[$Command] -ccontains '--format' -and $word -cmatch '\A--format(=(.*))?\z') {
    $tokenFormat = if ($Matches.ContainsKey(2)) { $Matches[2] } elseif ($next -lt $words.Count) { $words[$next++] } else { '' }
    if (@('text', 'json', 'oauth', 'headers', 'kubernetes') -cnotcontains $tokenFormat) {
      Stop-Usage '--format takes text, json, oauth, headers or kubernetes'
    }
    $parameters.Add("format=$tokenFormat")
    continue
  }
  if ($Options[$Command] -cnotcontains '--min-validity' -or -not ($word -cmatch '\A--min-validity(=(.*))?\z')) {
    Stop-Usage "$Command doesn't take '$word'"
  }
  $seconds = if ($Matches.ContainsKey(2)) { $Matches[2] } elseif ($next -lt $words.Count) { $words[$next++] } else { '' }
  if ($seconds -notmatch '\A[0-9]{1,9}\z') { Stop-Usage '--min-validity takes a whole number of seconds' }
  $parameters.Add("min_validity=$seconds")
  $Strict = '&strict=true'
}
if ($Connection -and $all) { Stop-Usage 'sign-out takes --connection or --all' }
if ($Strictly -and -not $Until) { Stop-Usage '--strict needs --until' }
if ($BestEffort -and -not $Strict) { Stop-Usage '--best-effort needs --min-validity' }
$query = Get-Query $parameters.ToArray()

switch -CaseSensitive ($Command) {
  'doctor' { Invoke-App $doctor }
  'policy' {
    if (-not $verb) { Stop-Usage 'policy needs the word check' }
    Invoke-App $(if (@('', '--installed') -ccontains $policy) { '--check-policy' } else { "--check-policy=$policy" })
  }
  'socket' { [Console]::Out.WriteLine((Get-AgentFile)) }
  'open' {
    Start-Process -FilePath (Get-App)
    # Waits until Latchkey answers, so that the next command reaches it.
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    $IsWaiting = $true
    while ($IsWaiting) {
      try {
        $null = Send-Request GET 'status' 'text/plain'
        $IsWaiting = $false
      } catch [System.TimeoutException] {
        if ($watch.Elapsed.TotalSeconds -gt 30) { Fail 2 "Latchkey was started, but doesn't answer; run latchkey doctor" }
        Start-Sleep -Seconds 1
      }
    }
  }
  'clients' { [Console]::Out.WriteLine((Get-Client $language)) }
  'mcp' {
    if ($client) {
      [Console]::Out.WriteLine((Get-Config $client $url))
    } else {
      if ($url) { $parameters.Add("url=$([Uri]::EscapeDataString($url))") }
      Invoke-Mcp (Get-Query $parameters.ToArray())
    }
  }
  'token' {
    [Console]::Out.WriteLine($(if ($tokenFormat -ceq 'text') { Get-Token $query } else { Get-Formatted $query }))
  }
  'header' { [Console]::Out.WriteLine("Authorization: Bearer $(Get-Token $query)") }
  'exec' {
    if ($next -ge $words.Count -or $words[$next] -match '\A(-.*)?\z') {
      Stop-Usage "exec needs a COMMAND, one that doesn't begin with a dash"
    }
    $rest = $words.GetRange($next, $words.Count - $next).ToArray()
    $Job = $rest[0]
    $token = Get-Token $query
    if ($Until) { Test-Outlook }
    Invoke-WithToken $rest $token
  }
  'rejected' {
    $token = [Console]::In.ReadLine()
    if (-not (Test-Token $token)) { Stop-Usage 'standard input is not a token' }
    $status, $body = Send-Request POST "token/rejected$query" 'text/plain' (ConvertTo-Json @{ token = $token } -Compress)
    if ($status -ne 200) { Stop-Refused $status $body }
    if (-not (Test-Token $body)) { Fail 5 'Latchkey answered with something that is not a token' }
    [Console]::Out.WriteLine($body)
  }
  'status' {
    $body = Get-Status $format
    [Console]::Out.WriteLine($(if ($Until -and $format -ceq 'text/plain') { $Message } else { $body }))
    exit $Outlook
  }
  'gateway' {
    if (-not $newPassword) { [Console]::Out.WriteLine((Get-Lines "gateway$query" 'text/plain')); break }
    $status, $body = Send-Request POST "gateway/password$query" 'text/plain'
    if ($status -ne 200) { Stop-Refused $status $body }
    if (-not (Test-Token $body)) { Fail 5 'Latchkey answered with something that is not a password' }
    [Console]::Out.WriteLine($body)
  }
  'sign-out' {
    $status, $body = Send-Request POST "sign-out$(Get-Query @($Connection, $all))" 'text/plain'
    if (@(200, 202) -notcontains $status) { Stop-Refused $status $body }
    if (($body -replace '\r?\n', '') -cmatch "$Obeyed|$Unpaired") { Fail 5 'Latchkey gave an unexpected answer' }
    [Console]::Out.WriteLine($body)
    if ($status -eq 202) { exit 4 }
  }
}
exit 0
