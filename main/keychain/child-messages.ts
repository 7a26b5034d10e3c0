/** The messages between the app and the keychain's child process, and their parsers. */

/** A call to keytar; `ping` only asks whether the child still answers. */
export type Method = 'getPassword' | 'setPassword' | 'deletePassword' | 'ping'

export interface Call {
  readonly id: number
  readonly method: Method
  readonly args: readonly string[]
}

export type Answer =
  /** The native module is loaded. Always the first message. */
  | { readonly kind: 'ready' }
  /** The native module can't be loaded: libsecret is missing. */
  | { readonly kind: 'unloadable'; readonly cause: string }
  /** The answer to a ping. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'done'; readonly id: number; readonly value: string | boolean | null }
  | { readonly kind: 'failed'; readonly id: number; readonly cause: string }

const ARGUMENTS: ReadonlyMap<unknown, number> = new Map<Method, number>([
  ['getPassword', 2],
  ['setPassword', 3],
  ['deletePassword', 2],
  ['ping', 0],
])

// Parsed by hand, so that the child process loads only keytar and this file.
/** `undefined` if the value isn't a call. */
export function parseCall(message: unknown): Call | undefined {
  const { id, method, args } = fieldsOf(message)
  if (!isId(id) || !Array.isArray(args) || !args.every(isString)) return undefined
  return args.length === ARGUMENTS.get(method) ? { id, method: method as Method, args: [...args] } : undefined
}

/** `undefined` if the value isn't an answer. */
export function parseAnswer(message: unknown): Answer | undefined {
  const { kind, id, value, cause } = fieldsOf(message)
  if (kind === 'ready' || kind === 'alive') return { kind }
  if (kind === 'unloadable' && isString(cause)) return { kind, cause }
  if (kind === 'done' && isId(id) && isValue(value)) return { kind, id, value }
  if (kind === 'failed' && isId(id) && isString(cause)) return { kind, id, cause }
  return undefined
}

const fieldsOf = (message: unknown): Readonly<Record<string, unknown>> =>
  typeof message === 'object' && message !== null ? { ...message } : {}
const isId = (id: unknown): id is number => Number.isSafeInteger(id)
const isString = (text: unknown): text is string => typeof text === 'string'
const isValue = (value: unknown): value is string | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'boolean'
