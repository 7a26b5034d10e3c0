import { describe, expect, test } from 'vitest'
import { FAILURE_CODES, type SessionView } from '../preload/contract.ts'
import { loadTexts } from './index.ts'
import type { Operation } from './sentence.ts'
import { stateLine, trayLine } from './state.ts'

const operations: readonly Operation[] = ['connect', 'signIn', 'session']

describe('the catalogue that fits a person', () => {
  test.each(['en', 'en-US', 'it-IT', 'zh-Hant-TW', '', 'C', 'not a locale'])('%j has one', async (locale) => {
    expect((await loadTexts(locale)).buttons.signIn).toBe('Sign in')
  })
})

describe('every failure says what happened and what to do', () => {
  const cases = FAILURE_CODES.flatMap((code) => operations.map((during) => [code, during] as const))

  test.each(cases)('%s while %s', async (code, during) => {
    const texts = await loadTexts('en')
    for (const host of ['data.example.com', undefined]) {
      const { title, body } = texts.failure({ code }, during, host)
      expect(title).toMatch(/^[A-Z].*\.$/)
      expect(body).toMatch(/^[A-Z].*\.$/)
      expect(`${title} ${body}`).not.toContain(code)
      expect(`${title} ${body}`).not.toContain('undefined')
    }
  })

  test('what keeps the session says that it is kept', async () => {
    const texts = await loadTexts('en')
    const keeping = ['rateLimited', 'unreachable', 'untrustedCertificate', 'malformedResponse'] as const
    for (const code of [...keeping, 'proxyAuthenticationRequired', 'keychainUnavailable'] as const) {
      expect(texts.failure({ code }, 'session', 'data.example.com').body).toContain('Your session is kept.')
    }
  })

  test('a Retry-After is told', async () => {
    const { failure } = await loadTexts('en')
    expect(failure({ code: 'rateLimited', retryAfter: 120 }, 'signIn', undefined).body).toContain('2 minutes')
  })
})

describe('the state in one line', () => {
  const account = { username: 'ana', displayName: 'ana', method: 'password' } as const
  const token = { receivedAt: 0, expiresAt: 1 }
  const active: SessionView = { kind: 'active', account, token, renewal: 'idle', kept: 'keychain' }
  const unreachable: SessionView = { ...active, kind: 'unreachable', failure: { code: 'unreachable' }, retryAt: 0 }
  const connection = { baseAddress: '', host: 'data.example.com', source: 'user', methods: [] } as const

  test.each<[SessionView, string]>([
    [{ kind: 'notConfigured' }, 'No service yet'],
    [{ kind: 'signedOut', revocation: 'none' }, 'Signed out'],
    [active, 'Signed in as ana · data.example.com'],
    [{ ...active, kept: 'unwritten' }, 'Signed in as ana · data.example.com. Your keychain can’t be written'],
    [unreachable, 'Can’t reach data.example.com, session kept'],
    [
      { ...unreachable, failure: { code: 'rateLimited' } },
      'No new access token from data.example.com yet, session kept',
    ],
    [{ ...active, kind: 'ending', failure: { code: 'sessionEnded' } }, 'Needs you: sign in again'],
  ])('%o', async (session, line) => {
    expect(stateLine(await loadTexts('en'), { connection, session })).toBe(line)
  })

  test('a renewal under way shows in the tray alone', async () => {
    const texts = await loadTexts('en')
    const view = { connection, session: { ...active, renewal: 'running' } } as const
    expect(trayLine(texts, view)).toBe('Renewing')
    expect(stateLine(texts, view)).toBe('Signed in as ana · data.example.com')
  })
})
