/** What the bare program `token` does besides showing an icon: one keychain read and one refresh. */
import got from 'got'
import keytar from 'keytar'

export async function refresh(service: string): Promise<string> {
  const refreshToken = await keytar.getPassword('Latchkey', 'bench')
  const { token } = await got.post(`${service}/auth/refresh`, { json: { refreshToken } }).json<{ token: string }>()
  return token
}
