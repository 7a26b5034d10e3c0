import { describe, expect, test } from 'vitest'
import { FAILURE_CODES } from '../contract/failures.ts'
import { GRANTS, ISSUER_KINDS } from '../contract/grants.ts'
import { connection, sessionsAt } from '../contract/testing.ts'
import type { SessionView } from '../contract/views.ts'
import { loadDiagnosticsTexts } from './diagnostics.ts'
import { LANGUAGES, loadTexts } from './index.ts'
import type { Operation } from './sentence.ts'
import { stateLine, trayLine } from './state.ts'

const operations: readonly Operation[] = ['settings', 'signIn', 'challenge', 'session', 'changePassword']

test.each([
  ['en-US', 'Sign in'],
  ['zh-Hant-TW', 'Sign in'],
  ['not a locale', 'Sign in'],
  ['de-AT', 'Anmelden'],
  ['fr-CA', 'Se connecter'],
])('the texts for the locale %j are in its language, or in English', async (locale, signIn) => {
  expect((await loadTexts(locale)).buttons.signIn).toBe(signIn)
})

/** Texts that are the same in two languages. */
const SHARED = /^(Latchkey|Single Sign-on|Realm|Scope|Audience|Proxy|Gateway|Server|Cause|Code|Services|Zoom)$/

test.each(LANGUAGES.filter((language) => language !== 'en'))(
  'every text without parameters is translated: %s',
  async (language) => {
    const { system: _, ...texts } = await loadTexts(language)
    const english = leaves(await loadTexts('en'))
    for (const [key, words] of leaves(texts)) {
      if (!SHARED.test(words)) expect(words, key).not.toBe(english.get(key))
    }
  },
)

test.each([
  ['en', 'win32', 'Credential Manager'],
  ['en', 'darwin', 'keychain'],
  ['es', 'win32', 'Administrador de credenciales'],
])('the texts call the keychain by the system’s own name: in %s on %s, %s', async (language, platform, name) => {
  const texts = await loadTexts(language, platform)
  const { keychain } = await loadDiagnosticsTexts(texts)
  const names = ['keyring', 'keychain', 'Credential Manager', 'llavero', 'depósito']
  for (const words of [
    texts.sessionUnread.locked.heading,
    texts.settings.sso.secretHint,
    texts.failure({ code: 'keychainUnavailable' }, 'signIn', undefined).title,
    texts.notifications.unsaved.body,
    keychain.works,
  ]) {
    expect(words).toContain(name)
    for (const other of names.filter((each) => !name.includes(each))) expect(words).not.toContain(other)
  }
})

function leaves(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): (readonly [string, string])[] => {
      const name = `${path}.${key}`
      if (typeof value === 'string') return [[name, value]]
      return typeof value === 'object' && value !== null ? [...leaves(value, name)] : []
    }),
  )
}

test.each(LANGUAGES)('every failure says what happened and what to do: %s', async (language) => {
  const texts = await loadTexts(language)
  const places = operations.flatMap((during) => ISSUER_KINDS.map((issuer) => [during, issuer] as const))
  for (const code of FAILURE_CODES) {
    for (const [during, issuer] of places) {
      for (const host of ['data.example.com', undefined]) {
        const failure = { code, ...(host && { details: { host: 'login.example.com:443' } }) }
        const { title, body } = texts.failure(failure, during, host, issuer)
        const where = `${code} ${during} ${issuer} ${host}`
        expect(title && body, where).not.toBe('')
        expect(`${title} ${body}`, where).not.toMatch(new RegExp(`${code}|undefined`))
      }
    }
  }
})

test('SECURITY: the text about a wrong LATCHKEY_SOCKET doesn’t show its value, which may be anything', async () => {
  const said = (await loadTexts('en')).agent.error({ kind: 'pathNotAbsolute', path: '/run/agent.sock', most: 103 })
  expect(said).toBe('LATCHKEY_SOCKET isn’t an absolute path. Set it to an absolute path, or remove it.')
})

describe('the state in one line', () => {
  const { active, unreachable, ending, expired, signedOut } = sessionsAt(0)
  const { token: _, ...outOfTokens } = unreachable
  const sso = { ...active.account, grant: GRANTS.passwordRealm }

  test.each<[SessionView, string]>([
    [active, 'Signed in as ana · data.example.com'],
    [unreachable, 'Can’t reach data.example.com, session kept'],
    [{ ...unreachable, kept: 'unsaved' }, 'Can’t reach data.example.com. Your session can’t be saved'],
    [outOfTokens, 'Can’t reach data.example.com. Your tools can’t get a token'],
    [{ ...unreachable, account: sso }, 'Can’t reach your identity provider, session kept'],
    [
      { ...unreachable, failure: { code: 'rateLimited' } },
      'No new access token from data.example.com yet, session kept',
    ],
    [{ ...signedOut, failure: expired.failure }, 'Your session has ended. Sign in again'],
    [{ ...ending, kept: 'unsaved' }, 'Your session can’t be renewed. Sign in again. Your session can’t be saved'],
  ])('%o', async (session, line) => {
    expect(stateLine(await loadTexts('en'), { connection, session })).toBe(line)
  })

  test('only the tray mentions a refresh under way', async () => {
    const texts = await loadTexts('en')
    const view = { connection, session: { ...active, refresh: 'running' } } as const
    expect([trayLine(texts, view), stateLine(texts, view)]).toEqual(['Renewing', 'Signed in as ana · data.example.com'])
  })
})

test.each([
  [
    { proxy: 'http://127.0.0.1:9', proxyVariable: 'https_proxy', cause: 'ECONNREFUSED' },
    'The proxy 127.0.0.1:9 (from https_proxy) doesn’t answer.',
  ],
  [{ proxy: 'http://127.0.0.1:9', cause: 'proxy answered 502' }, 'Can’t reach data.example.com.'],
  [{ status: 200, cause: 'HTML answer' }, 'A web page answered instead of data.example.com.'],
])('a failure names what is at fault: %j', async (details, title) => {
  const { failure } = await loadTexts('en')
  expect(failure({ code: 'unreachable', details }, 'signIn', 'data.example.com').title).toBe(title)
})
