/** What the app `bare-token` does besides showing an icon: one keychain read and one refresh. */
import got from 'got'
import keytar from 'keytar'
import { ANA } from '../demo/users.ts'

interface Pair {
  readonly token: string
  readonly refreshToken: string
}

const ENTRY = ['Latchkey bench', ANA.username] as const

/** Signs in to get a refresh token that the app can store. */
export const signIn = (baseAddress: string): Promise<Pair> =>
  got.get(`${baseAddress}/auth/login`, { username: ANA.username, password: ANA.password }).json()

export async function refresh(baseAddress: string): Promise<Pair> {
  const refreshToken = await keytar.getPassword(...ENTRY)
  return got.post(`${baseAddress}/auth/refresh`, { json: { refreshToken } }).json()
}

export const store = ({ refreshToken }: Pair): Promise<void> => keytar.setPassword(...ENTRY, refreshToken)
