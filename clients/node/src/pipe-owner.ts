/** Finds out whether a named pipe belongs to this user. Node can't, so PowerShell does, once for each pipe. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

/** SECURITY: matches only a pipe on this machine, and no other kind of file. */
const PIPE = /^\\\\\.\\pipe\\([\w.-]+)$/

/**
 * PipeStream.GetAccessControl: https://learn.microsoft.com/dotnet/api/system.io.pipes.pipestream.getaccesscontrol
 * If an elevated administrator runs Latchkey, the pipe belongs to the administrators' group (S-1-5-32-544).
 */
const SCRIPT = `
$pipe = New-Object System.IO.Pipes.NamedPipeClientStream('.', $env:LATCHKEY_PIPE, 'InOut', 'None', 'Anonymous')
$pipe.Connect(5000)
$owner = $pipe.GetAccessControl().GetOwner([System.Security.Principal.SecurityIdentifier]).Value
$pipe.Dispose()
$user = [System.Security.Principal.WindowsIdentity]::GetCurrent().User.Value
if (@($user, 'S-1-5-32-544') -ccontains $owner) { 'own' } else { 'foreign' }
`

export const pipeNameIn = (pipe: string): string | undefined => PIPE.exec(pipe)?.[1]

const known = new Map<string, Promise<boolean>>()

/** SECURITY: after Latchkey has ended, another user can create a pipe with the same name, and would get the secret. */
export function isOwnPipe(pipe: string): Promise<boolean> {
  const before = known.get(pipe)
  if (before !== undefined) return before
  const asked = ask(pipe)
  known.clear()
  known.set(pipe, asked)
  asked.catch(() => known.delete(pipe))
  return asked
}

async function ask(pipe: string): Promise<boolean> {
  const name = pipeNameIn(pipe)
  if (name === undefined) return false
  const root = process.env['SystemRoot'] ?? 'C:\\Windows'
  const shell = path.win32.join(root, 'System32\\WindowsPowerShell\\v1.0\\powershell.exe')
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', SCRIPT]
  const options = { env: { ...process.env, LATCHKEY_PIPE: name }, windowsHide: true, timeout: 20_000 }
  const { stdout } = await promisify(execFile)(shell, args, options)
  return stdout.trim() === 'own'
}
