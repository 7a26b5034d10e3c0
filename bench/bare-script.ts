/**
 * The shortest program that turns a stored refresh token into an access token: one keychain read and one refresh. It
 * prints how many milliseconds that takes. The time includes loading keytar and got, but not starting Node.
 */
const startedAt = performance.now()
const { default: keytar } = await import('keytar')
const { default: got } = await import('got')

export interface BareScriptOrder {
  readonly baseAddress: string
  /** If present, the script signs in with these credentials and stores the refresh token before the measurement. */
  readonly login?: { readonly username: string; readonly password: string }
}

interface Pair {
  readonly token: string
  readonly refreshToken: string
}

const ENTRY = ['Latchkey bench', 'ana'] as const
const { baseAddress, login }: BareScriptOrder = JSON.parse(process.argv[2] ?? '')

const store = ({ refreshToken }: Pair) => keytar.setPassword(...ENTRY, refreshToken)

if (login === undefined) {
  const refreshToken = await keytar.getPassword(...ENTRY)
  const pair: Pair = await got.post(`${baseAddress}/auth/refresh`, { json: { refreshToken } }).json()
  console.log(performance.now() - startedAt)
  await store(pair)
} else await store(await got.get(`${baseAddress}/auth/login`, login).json())
