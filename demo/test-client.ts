/** A client for the demo's tests: sends exactly what a test says, and follows no redirect. */

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly json: any
}

export async function send(address: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(address + path, { redirect: 'manual', ...init })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parsed(text) }
}

export const post = (address: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(address, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`,
})

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

export const login = (address: string, username: string, password: string) =>
  send(address, '/auth/login', { headers: basic(username, password) })

export const refresh = (address: string, refreshToken: string) => post(address, '/auth/refresh', { refreshToken })

/** The claims of a JWT, without verification. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
