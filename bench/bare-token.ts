/** Turns the refresh token in the keychain into an access token: one keychain read and one refresh. */
import got from 'got'
import keytar from 'keytar'
import { ANA } from '../demo/users.ts'

interface Pair {
  readonly token: string
  readonly refreshToken: string
}

const ENTRY = ['Latchkey bench', ANA.username] as const

/** If the keychain has no refresh token yet, this signs in instead. */
export async function firstToken(baseAddress: string): Promise<Pair> {
  const refreshToken = await keytar.getPassword(...ENTRY)
  return refreshToken === null
    ? got.get(`${baseAddress}/auth/login`, { username: ANA.username, password: ANA.password }).json()
    : got.post(`${baseAddress}/auth/refresh`, { json: { refreshToken } }).json()
}

export const store = ({ refreshToken }: Pair): Promise<void> => keytar.setPassword(...ENTRY, refreshToken)
