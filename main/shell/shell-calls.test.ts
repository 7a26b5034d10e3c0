import { describe, expect, it } from 'vitest'
import { type AccessToken, accessToken } from '../session/secret.ts'
import { shellCalls } from './shell-calls.ts'

function calls(session: { readonly accessToken: AccessToken | undefined } | undefined) {
  const copied: string[] = []
  const done: string[] = []
  const ok = { ok: true, value: undefined } as const
  const made = shellCalls({
    session: () => session,
    clipboard: { copy: async (token) => void copied.push(token.reveal()) },
    startAtLogin: {
      set: (enabled) => {
        done.push(`login ${enabled}`)
        return ok
      },
    },
    agent: {
      set: async (enabled) => {
        done.push(`agent ${enabled}`)
        return ok
      },
    },
    checkComputer: async () => ok,
    saveDiagnostics: async () => ok,
    onChange: () => done.push('told'),
  })
  return { made, copied, done }
}

describe('copying the access token', () => {
  it('puts it on the clipboard, and answers without it', async () => {
    const { made, copied } = calls({ accessToken: accessToken('aaa') })
    await expect(made.copyToken(undefined)).resolves.toEqual({ ok: true, value: undefined })
    expect(copied).toEqual(['aaa'])
  })

  it.each([
    ['notConfigured', undefined],
    ['sessionEnded', { accessToken: undefined }],
  ])('says %s where there is none', async (code, session) => {
    const { made, copied } = calls(session)
    await expect(made.copyToken(undefined)).resolves.toEqual({ ok: false, failure: { code } })
    expect(copied).toEqual([])
  })
})

it('starting at login is set and told at once', async () => {
  const { made, done } = calls(undefined)
  await made.setStartAtLogin({ enabled: true })
  expect(done).toEqual(['login true', 'told'])
})
