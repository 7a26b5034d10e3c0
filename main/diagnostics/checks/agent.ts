import { lstat } from 'node:fs/promises'
import { createConnection } from 'node:net'
import path from 'node:path'
import { isManagedSource } from '../../../contract/settings.ts'
import type { DiagnosticsTexts } from '../../../text/en/diagnostics.ts'
import { checkFolder } from '../../base/private-folder.ts'
import type { Finding } from '../line.ts'
import { causeOf, type Ports } from '../ports.ts'

const CONNECT_TIMEOUT_MS = 2_000

export async function checkAgent({ agent, texts }: Ports<'agent' | 'texts'>): Promise<Finding> {
  const says = texts.diagnostics.agent
  if (!agent.isEnabled) {
    const { source } = agent
    return { state: 'ok', isOff: true, sentence: isManagedSource(source) ? says.offBy(source) : says.off }
  }
  const { location } = agent
  switch (location.kind) {
    case 'pathTooLong':
      return { state: 'failed', ...says.pathTooLong(location.path) }
    // SECURITY: a value that isn't a path is not shown, because it may be a secret.
    case 'pathNotAbsolute':
      return { state: 'failed', ...says.pathNotAbsolute }
    case 'pipe':
      // On Windows, the agent's file inherits its folder's permissions. They can't be checked here.
      return (await statOf(location.file)) === undefined
        ? { state: 'warning', ...says.notServing(location.file) }
        : { state: 'ok', sentence: says.pipe(location.file) }
    case 'socket':
      return checkSocket(location.path, agent.uid, texts.diagnostics)
  }
}

async function checkSocket(
  socket: string,
  uid: number | undefined,
  { agent: says }: DiagnosticsTexts,
): Promise<Finding> {
  const folder = path.dirname(socket)
  const [around, file] = await Promise.all([statOf(folder), statOf(socket)])
  if (around === undefined || file === undefined || uid === undefined) {
    return { state: 'warning', ...says.notServing(socket) }
  }
  // SECURITY: checks the folder by the same rules as the agent itself.
  const check = checkFolder(folder, uid)
  if (check.kind === 'missing') return { state: 'warning', ...says.notServing(socket) }
  if (check.kind === 'unsafe') return { state: 'failed', ...(await unsafeFolder(check.path, uid, says)) }
  if (file.uid !== uid) return { state: 'failed', ...says.foreign(socket) }
  if (!file.isSocket()) return { state: 'failed', ...says.notASocket(socket) }
  if ((file.mode & 0o077) !== 0) return { state: 'failed', ...says.open(socket, octal(file.mode)) }
  const details = [`${octal(around.mode)} ${folder}`, `${octal(file.mode)} ${socket}`]
  if (!(await isServed(socket))) return { state: 'warning', ...says.notServing(socket), details }
  if ((around.mode & 0o077) !== 0) return { state: 'warning', ...says.visible(folder, octal(around.mode)), details }
  return { state: 'ok', sentence: says.good(socket), details }
}

async function unsafeFolder(folder: string, uid: number, says: DiagnosticsTexts['agent']) {
  const { uid: owner, mode } = await lstat(folder)
  const isTrusted = owner === uid || owner === 0
  return isTrusted && (mode & 0o022) !== 0 ? says.open(folder, octal(mode)) : says.foreign(folder)
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')

async function statOf(file: string) {
  try {
    return await lstat(file)
  } catch (error) {
    if (causeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Sends nothing. */
function isServed(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket)
    connection.setTimeout(CONNECT_TIMEOUT_MS, () => connection.destroy())
    connection.once('connect', () => resolve(true))
    connection.on('error', () => connection.destroy())
    connection.once('connect', () => connection.destroy())
    connection.once('close', () => resolve(false))
  })
}
