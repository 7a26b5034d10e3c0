import { describe, expect, test } from 'vitest'
import { FAILURE_CODES } from '../contract/failures.ts'
import { GRANTS, ISSUER_KINDS } from '../contract/grants.ts'
import type { SessionView } from '../contract/views.ts'
import { loadDiagnosticsTexts } from './diagnostics.ts'
import { LANGUAGES, loadTexts } from './index.ts'
import type { Operation } from './sentence.ts'
import { stateLine, trayLine } from './state.ts'

const operations: readonly Operation[] = ['settings', 'signIn', 'challenge', 'session', 'changePassword']

test.each(['en', 'en-US', 'it-IT', 'zh-Hant-TW', '', 'C', 'not a locale'])(
  'the texts for the locale %j are English',
  async (locale) => {
    expect((await loadTexts(locale)).buttons.signIn).toBe('Sign in')
  },
)

describe('the language of the texts', () => {
  test.each([
    ['de-AT', 'Anmelden'],
    ['fr-CA', 'Se connecter'],
    ['es-419', 'Iniciar sesión'],
  ])('is that of the locale %s', async (locale, signIn) => {
    expect((await loadTexts(locale)).buttons.signIn).toBe(signIn)
  })

  /** Texts that are the same in two languages. */
  const SHARED = new Set([
    'Latchkey',
    'Single Sign-on',
    'Realm',
    'Scope',
    'Audience',
    'Proxy',
    'Gateway',
    'Server',
    'Cause',
    'Code',
    'Services',
    'Zoom',
  ])

  test.each(LANGUAGES.filter((language) => language !== 'en'))(
    'every text without parameters is translated: %s',
    async (language) => {
      const { system: _, ...texts } = await loadTexts(language)
      const english = leaves(await loadTexts('en'))
      for (const [key, words] of leaves(texts)) {
        if (!SHARED.has(words)) expect(words, key).not.toBe(english.get(key))
      }
    },
  )
})

test.each([
  ['en', 'linux', 'keyring'],
  ['en', 'darwin', 'keychain'],
  ['en', 'win32', 'Credential Manager'],
  ['de', 'linux', 'Schlüsselbund'],
  ['de', 'win32', 'Anmeldeinformationsverwaltung'],
  ['fr', 'darwin', 'trousseau'],
  ['fr', 'win32', 'Gestionnaire d’informations d’identification'],
  ['es', 'linux', 'depósito de claves'],
  ['es', 'darwin', 'llavero'],
  ['es', 'win32', 'Administrador de credenciales'],
])('the texts call the keychain by the system’s own name: in %s on %s, %s', async (language, platform, name) => {
  const texts = await loadTexts(language, platform)
  const diagnostics = await loadDiagnosticsTexts(texts)
  const others = ['keyring', 'keychain', 'Credential Manager', 'llavero', 'depósito'].filter(
    (each) => !name.includes(each),
  )
  for (const words of [
    texts.sessionUnread.locked.heading,
    texts.settings.sso.secretHint,
    texts.failure({ code: 'keychainUnavailable' }, 'signIn', undefined).title,
    texts.notifications.unsaved.body,
    diagnostics.keychain.works,
    diagnostics.checks.keychain.toLowerCase() === name.toLowerCase() ? name : diagnostics.checks.keychain,
  ]) {
    expect(words).toContain(name)
    for (const other of others) expect(words).not.toContain(other)
  }
})

/** The texts without parameters, by path. */
function leaves(texts: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): (readonly [string, string])[] => {
      const name = `${path}.${key}`
      if (typeof value === 'string') return [[name, value]]
      return typeof value === 'object' && value !== null ? [...leaves(value, name)] : []
    }),
  )
}

describe.each(LANGUAGES)('every failure says what happened and what to do (%s)', (language) => {
  const places = operations.flatMap((during) => ISSUER_KINDS.map((issuer) => [during, issuer] as const))
  const cases = FAILURE_CODES.flatMap((code) => places.map((place) => [code, ...place] as const))

  test.each(cases)('%s while %s (%s)', async (code, during, issuer) => {
    const texts = await loadTexts(language)
    for (const details of [undefined, { host: 'login.example.com:443' }]) {
      for (const host of ['data.example.com', undefined]) {
        const failure = { code, ...(details && { details }) }
        const { title, body } = texts.failure(failure, during, host, issuer)
        expect(title).toMatch(/^(\p{Lu}|data\.|login\.).*\.$/u)
        expect(body).toMatch(/^\p{Lu}.*\.$/u)
        expect(`${title} ${body}`).not.toContain(code)
        expect(`${title} ${body}`).not.toContain('undefined')
      }
    }
  })
})

test('SECURITY: the text about a wrong LATCHKEY_SOCKET doesn’t show its value, which may be anything', async () => {
  const said = (await loadTexts('en')).agent.error({ kind: 'pathNotAbsolute', path: '/run/agent.sock', most: 103 })
  expect(said).toBe('LATCHKEY_SOCKET isn’t an absolute path. Set it to an absolute path, or remove it.')
})

describe('the state in one line', () => {
  const account = { username: 'ana', displayName: 'ana', grant: GRANTS.password } as const
  const token = { receivedAt: 0, expiresAt: 1 }
  const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const
  const unreachable = { ...active, kind: 'unreachable', failure: { code: 'unreachable' }, retryAt: 0 } as const
  const connection = { baseAddress: '', host: 'data.example.com', source: 'user', grants: [] } as const
  const { token: _, ...outOfTokens } = unreachable

  test.each<[SessionView, string]>([
    [{ kind: 'notConfigured' }, 'Not set up'],
    [{ kind: 'signedOut', revocation: 'none' }, 'Signed out'],
    [active, 'Signed in as ana · data.example.com'],
    [{ ...active, kept: 'unsaved' }, 'Signed in as ana · data.example.com. Your session can’t be saved'],
    [unreachable, 'Can’t reach data.example.com, session kept'],
    [outOfTokens, 'Can’t reach data.example.com. Your tools can’t get a token'],
    [
      { ...unreachable, failure: { code: 'rateLimited' } },
      'No new access token from data.example.com yet, session kept',
    ],
    [
      { ...unreachable, account: { ...account, grant: GRANTS.passwordRealm } },
      'Can’t reach your identity provider, session kept',
    ],
    [{ ...unreachable, kept: 'unsaved' }, 'Can’t reach data.example.com. Your session can’t be saved'],
    [{ ...active, kind: 'ending', failure: { code: 'sessionEnded' } }, 'Your session can’t be renewed. Sign in again'],
    [
      { kind: 'expired', account, refresh: 'idle', failure: { code: 'sessionEnded' } },
      'Your session has ended. Sign in again',
    ],
    [
      { kind: 'signedOut', revocation: 'none', failure: { code: 'sessionEnded' } },
      'Your session has ended. Sign in again',
    ],
    [
      { ...active, kind: 'ending', kept: 'unsaved', failure: { code: 'sessionEnded' } },
      'Your session can’t be renewed. Sign in again. Your session can’t be saved',
    ],
  ])('%o', async (session, line) => {
    expect(stateLine(await loadTexts('en'), { connection, session })).toBe(line)
  })

  test('only the tray mentions a refresh under way', async () => {
    const texts = await loadTexts('en')
    const view = { connection, session: { ...active, refresh: 'running' } } as const
    expect(trayLine(texts, view)).toBe('Renewing')
    expect(stateLine(texts, view)).toBe('Signed in as ana · data.example.com')
  })

  test.each(LANGUAGES)('“session kept” is never said if the keychain can’t store it (%s)', async (language) => {
    const texts = await loadTexts(language)
    for (const session of [unreachable, { ...unreachable, failure: { code: 'rateLimited' } } as const]) {
      expect(stateLine(texts, { connection, session })).toContain(texts.state.sessionKept)
      const unsaved = stateLine(texts, { connection, session: { ...session, kept: 'unsaved' } })
      expect(unsaved).not.toContain(texts.state.sessionKept)
      expect(unsaved).toContain(texts.state.unsaved)
    }
  })
})

const details = { host: 'data.example.com:443' }
const titleOf = async (failure: object) =>
  (await loadTexts('en')).failure(
    { code: 'unreachable', details: { ...details, ...failure } },
    'signIn',
    'data.example.com',
  ).title

test.each([
  [
    'a proxy that doesn’t answer',
    { proxy: 'http://127.0.0.1:9', proxyVariable: 'https_proxy', cause: 'ECONNREFUSED' },
    'The proxy 127.0.0.1:9 (from https_proxy) doesn’t answer.',
  ],
  [
    'the service behind a proxy',
    { proxy: 'http://127.0.0.1:9', cause: 'proxy answered 502' },
    'Can’t reach data.example.com.',
  ],
  [
    'the page of a guest network',
    { status: 200, cause: 'HTML answer' },
    'A web page answered instead of data.example.com.',
  ],
  ['the service', { cause: 'ECONNREFUSED' }, 'Can’t reach data.example.com.'],
])('a failure names what is at fault: %s', async (_, failure, title) => expect(await titleOf(failure)).toBe(title))
