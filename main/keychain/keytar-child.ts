/** The keychain's child process contains only keytar and a message loop. It loads no other file, so it starts fast. */
import { createRequire } from 'node:module'
import type { Keytar } from './keytar-store.ts'

/** `ping` only asks whether the child still answers. */
export type KeytarMethod = 'getPassword' | 'setPassword' | 'deletePassword' | 'ping'

export interface KeytarCall {
  readonly id: number
  readonly method: KeytarMethod
  readonly args: readonly string[]
}

export type KeytarAnswer =
  /** Says that keytar's native module is loaded. This is always the first message. */
  | { readonly kind: 'ready' }
  /** Says that the native module can't be loaded, because libsecret is missing. */
  | { readonly kind: 'unloadable'; readonly cause: string }
  | { readonly kind: 'alive' }
  | { readonly kind: 'done'; readonly id: number; readonly value: string | boolean | null }
  | { readonly kind: 'failed'; readonly id: number; readonly cause: string }

/** Electron's `process.parentPort`: the channel to the app. */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listen: (event: { readonly data: unknown }) => void): void
}

const { parentPort } = process as unknown as { readonly parentPort?: ParentPort }

const answer = (message: KeytarAnswer): void => {
  if (parentPort === undefined) process.send?.(message)
  else parentPort.postMessage(message)
}

function listen(hear: (message: unknown) => void): void {
  if (parentPort !== undefined) parentPort.on('message', ({ data }) => hear(data))
  else process.on('message', hear).once('disconnect', () => process.exit())
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const ARGUMENTS: ReadonlyMap<unknown, number> = new Map<KeytarMethod, number>([
  ['getPassword', 2],
  ['setPassword', 3],
  ['deletePassword', 2],
  ['ping', 0],
])

/** Checks the message without a library, so that this process loads nothing but keytar. */
function parseCall(message: unknown): KeytarCall | undefined {
  const { id, method, args }: { readonly [field: string]: unknown } = Object(message)
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return undefined
  if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) return undefined
  return args.length === ARGUMENTS.get(method) ? { id, method: method as KeytarMethod, args } : undefined
}

async function serve(keytar: Keytar, message: unknown): Promise<void> {
  const call = parseCall(message)
  // SECURITY: an invalid message ends the process, because the app never sends one.
  if (call === undefined) process.exit(1)
  const { id } = call
  try {
    answer(call.method === 'ping' ? { kind: 'alive' } : { kind: 'done', id, value: await make(keytar, call) })
  } catch (error) {
    answer({ kind: 'failed', id, cause: messageOf(error) })
  }
}

async function make(keytar: Keytar, { method, args }: KeytarCall): Promise<string | boolean | null> {
  const [service = '', account = '', password = ''] = args
  switch (method) {
    case 'getPassword':
      return keytar.getPassword(service, account)
    case 'setPassword':
      await keytar.setPassword(service, account, password)
      return null
    case 'deletePassword':
      return keytar.deletePassword(service, account)
    case 'ping':
      return null
  }
}

// Ctrl+C, a closed terminal and systemd send signals to this process, too. It ignores them, because the app still needs
// this process to store a token. The app ends it with SIGKILL.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
  process.on(signal, () => {})
}

try {
  // An `import` would take longer than loading keytar itself.
  const keytar: Keytar = createRequire(import.meta.url)('keytar')
  listen((message) => void serve(keytar, message))
  answer({ kind: 'ready' })
} catch (error) {
  answer({ kind: 'unloadable', cause: messageOf(error) })
}
