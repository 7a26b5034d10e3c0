import { describe, expect, it } from 'vitest'
import { fail } from '../../contract/failures.ts'
import { accessToken } from '../session/secret.ts'
import type { Session } from '../session/session.ts'
import { shellCalls } from './shell-calls.ts'

type Copied = Pick<Session, 'accessToken' | 'isServing' | 'renew'>

const never = () => Promise.reject(new Error('renewed for nothing'))

function calls(session: Copied | undefined) {
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
    const { made, copied } = calls({ accessToken: accessToken('aaa'), isServing: true, renew: never })
    await expect(made.copyToken(undefined)).resolves.toEqual({ ok: true, value: undefined })
    expect(copied).toEqual(['aaa'])
  })

  it('that has run out renews it first, as after sleep', async () => {
    const session = {
      accessToken: accessToken('aaa'),
      isServing: false,
      async renew() {
        Object.assign(session, { accessToken: accessToken('bbb'), isServing: true })
        return { ok: true, value: undefined } as const
      },
    }
    const { made, copied } = calls(session)
    await expect(made.copyToken(undefined)).resolves.toMatchObject({ ok: true })
    expect(copied).toEqual(['bbb'])
  })

  it('that has run out and can’t be renewed says why', async () => {
    const renew = async () => fail({ code: 'unreachable' })
    const { made, copied } = calls({ accessToken: accessToken('aaa'), isServing: false, renew })
    await expect(made.copyToken(undefined)).resolves.toEqual({ ok: false, failure: { code: 'unreachable' } })
    expect(copied).toEqual([])
  })

  it('that was renewed for a session that was closed meanwhile, as on quitting, is not copied', async () => {
    const renew = async () => ({ ok: true, value: undefined }) as const
    const { made, copied } = calls({ accessToken: accessToken('aaa'), isServing: false, renew })
    await expect(made.copyToken(undefined)).resolves.toEqual({ ok: false, failure: { code: 'sessionEnded' } })
    expect(copied).toEqual([])
  })

  it.each<[string, Copied | undefined]>([
    ['notConfigured', undefined],
    ['sessionEnded', { accessToken: undefined, isServing: false, renew: never }],
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
