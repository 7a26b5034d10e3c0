import { readdirSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { describe, expect, test } from 'vitest'
import { FAILURE_CODES, type FailureCode, OTHER_CLIENT, OTHER_ISSUER, SIGN_IN_PROBLEMS } from '../contract/failures.ts'
import { GRANT_NAMES, GRANTS, ISSUER_KINDS } from '../contract/grants.ts'
import { SETTING_FIELDS, type SettingProblem } from '../contract/settings.ts'
import type { SessionView } from '../contract/views.ts'
import type { AgentError } from './agent-error.ts'
import { causeInWords } from './cause.ts'
import { loadDiagnosticsTexts } from './diagnostics.ts'
import { LANGUAGES, loadTexts } from './index.ts'
import type { Operation } from './sentence.ts'
import { stateLine, trayLine } from './state.ts'

const operations: readonly Operation[] = ['settings', 'signIn', 'challenge', 'session', 'changePassword']

describe('the catalogue for a locale without a translation', () => {
  test.each(['en', 'en-US', 'it-IT', 'zh-Hant-TW', '', 'C', 'not a locale'])('%j gets English', async (locale) => {
    expect((await loadTexts(locale)).buttons.signIn).toBe('Sign in')
  })
})

describe('the language of the texts', () => {
  test.each([
    ['de-AT', 'Anmelden'],
    ['fr-CA', 'Se connecter'],
    ['es-419', 'Iniciar sesión'],
  ])('is that of the locale %s', async (locale, signIn) => {
    expect((await loadTexts(locale)).buttons.signIn).toBe(signIn)
  })

  /** Words that are the same in two languages. */
  const SHARED = new Set([
    'Latchkey',
    'Single Sign-on',
    'Realm',
    'Scope',
    'Audience',
    'Proxy',
    'Server',
    'Cause',
    'Code',
    'Services',
    'Zoom',
  ])

  test.each(LANGUAGES.filter((language) => language !== 'en'))(
    'in the catalogue %s, every text without parameters is translated',
    async (language) => {
      const { system: _, ...texts } = await loadTexts(language)
      const english = leaves(await loadTexts('en'))
      for (const [key, words] of leaves(texts)) {
        if (!SHARED.has(words)) expect(words, key).not.toBe(english.get(key))
      }
    },
  )
})

test.each(LANGUAGES)('%s has a different label for each grant', async (language) => {
  const { methods } = (await loadTexts(language)).signIn
  expect(Object.keys(methods)).toEqual([...GRANT_NAMES])
  expect(new Set(Object.values(methods)).size).toBe(GRANT_NAMES.length)
})

test.each(LANGUAGES)(
  'in %s, each text that says that the agent is turned off names the right place in Settings',
  async (language) => {
    const { agent, settings, desktop, ...rest } = await loadTexts(language)
    const diagnostics = await loadDiagnosticsTexts(rest)
    const place = `${desktop.settings.replace('…', '')} → ${settings.desktop.heading}`
    expect(agent.off).toContain(place)
    expect(diagnostics.agent.off).toContain(place)
  },
)

test('in French, a no-break space keeps each punctuation mark on the same line as its word', async () => {
  const folder = new URL('./fr/', import.meta.url)
  for (const file of readdirSync(folder)) {
    for (const words of literalsIn(readFileSync(new URL(file, folder), 'utf8'))) {
      expect(words, file).not.toMatch(/ [:;?!»]|« |\u202f:|\u00a0[;?!]/)
    }
  }
})

/** The text of every string and template in this code, without the inserted values. */
function literalsIn(code: string): readonly string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && node.type === 'Literal' && 'value' in node) found.push(String(node.value))
    if ('type' in node && node.type === 'TemplateElement' && 'value' in node) {
      found.push((node.value as { readonly cooked: string }).cooked)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return found
}

test.each([
  ['darwin', 'Widerrufen', 'Einsetzen'],
  ['linux', 'Rückgängig', 'Einfügen'],
])('the German menu uses the words that are usual on %s', async (platform, undo, paste) => {
  expect((await loadTexts('de', platform)).desktop.menu).toMatchObject({ undo, paste })
})

describe('the texts use the system’s own name for the keychain', () => {
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
  ])('in %s on %s, the name is %s', async (language, platform, name) => {
    const texts = await loadTexts(language, platform)
    const diagnostics = await loadDiagnosticsTexts(texts)
    const others = ['keyring', 'keychain', 'Credential Manager', 'llavero', 'depósito'].filter(
      (each) => !name.includes(each),
    )
    for (const words of [
      texts.sessionUnread.locked.heading,
      texts.settings.sso.secretHint,
      texts.failure({ code: 'keychainUnavailable' }, 'signIn', undefined).title,
      texts.notifications.unwritten.body,
      diagnostics.keychain.works,
      diagnostics.checks.keychain.toLowerCase() === name.toLowerCase() ? name : diagnostics.checks.keychain,
    ]) {
      expect(words).toContain(name)
      for (const other of others) expect(words).not.toContain(other)
    }
  })
})

/** Every text without parameters, by its path. */
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
        // A sentence may begin with a host.
        expect(title).toMatch(/^(\p{Lu}|data\.|login\.).*\.$/u)
        expect(body).toMatch(/^\p{Lu}.*\.$/u)
        expect(`${title} ${body}`).not.toContain(code)
        expect(`${title} ${body}`).not.toContain('undefined')
      }
    }
  })
})

describe('the sentence for each failure', () => {
  test.each(ISSUER_KINDS)(
    'if a failure doesn’t end the session, the sentence says that the session is kept (%s)',
    async (issuer) => {
      const texts = await loadTexts('en')
      const details = { host: 'login.example.com:443' }
      const ending: readonly FailureCode[] = [
        ...([
          'rejected',
          'sessionEnded',
          'passwordRefused',
          'invalidInput',
          'interactionRequired',
          'notConfirmed',
          'settingsUnwritable',
        ] as const),
      ]
      const keeping = FAILURE_CODES.filter((code) => !ending.includes(code))
      for (const code of keeping) {
        if (code === 'notConfigured' && issuer === 'service') continue
        expect(texts.failure({ code, details }, 'session', 'data.example.com', issuer).body).toContain(
          'Your session is kept.',
        )
      }
    },
  )

  test('a sentence includes the wait from Retry-After', async () => {
    const { failure } = await loadTexts('en')
    expect(failure({ code: 'rateLimited', retryAfter: 120 }, 'signIn', undefined).body).toContain('2 minutes')
  })

  test('after a lost reply to a password change, the user is told which passwords to try', async () => {
    const { failure } = await loadTexts('en')
    for (const code of ['unreachable', 'malformedResponse'] as const) {
      const lost = { code, details: { sent: true } } as const
      expect(failure(lost, 'changePassword', undefined).body).toContain('use the new one')
    }
  })

  test.each(LANGUAGES)(
    'if a password change was never sent, the user is told that nothing changed: %s',
    async (language) => {
      const { failure } = await loadTexts(language)
      const unsent = failure({ code: 'unreachable' }, 'changePassword', undefined).body
      const limited = failure({ code: 'rateLimited' }, 'changePassword', undefined).body
      expect(unsent.split('.')[0]).toBe(limited.split('.')[0])
      // Either the login that checks the current password failed, or the refresh that gets an access token for the
      // change.
      for (const operation of ['login', 'refresh']) {
        for (const code of ['unreachable', 'malformedResponse'] as const) {
          const before = failure({ code, details: { operation, sent: true, status: 502 } }, 'changePassword', undefined)
          expect(before.body.split('.')[0], code).toBe(limited.split('.')[0])
        }
      }
      expect(failure({ code: 'rejected' }, 'changePassword', undefined).body.split('.')[0]).toBe(limited.split('.')[0])
    },
  )

  test.each(LANGUAGES)('the network is only named if it is the reason: %s', async (language) => {
    const { failure } = await loadTexts(language)
    for (const during of ['signIn', 'changePassword'] as const) {
      const bodyOf = (details: object) => failure({ code: 'unreachable', details }, during, 'data.example.com').body
      for (const cause of ['HTTP 503', 'HTML answer', 'redirect to https://www.example.com']) {
        expect(bodyOf({ status: 503, cause })).not.toMatch(/VPN/)
      }
      expect(bodyOf({ cause: 'ENOTFOUND' })).toMatch(/VPN/)
      expect(bodyOf({ sent: true, status: 200, cause: 'ECONNRESET' })).toMatch(/VPN/)
      expect(bodyOf({ status: 403, cause: 'proxy answered 403' })).toMatch(/VPN/)
    }
  })

  test('a failure of single sign-on names the identity provider, never the service', async () => {
    const { failure } = await loadTexts('en')
    const reached = (host?: string) => {
      const details = host === undefined ? {} : { details: { host } }
      return failure({ code: 'unreachable', ...details }, 'signIn', 'data.example.com', 'identityProvider').title
    }
    expect(reached('login.example.com:443')).toBe('Latchkey can’t reach login.example.com.')
    expect(reached('login.example.com:8443')).toBe('Latchkey can’t reach login.example.com:8443.')
    expect(reached()).toBe('Latchkey can’t reach your identity provider.')
  })

  test('refused settings have a sentence that names the administrator; missing settings have another', async () => {
    const { failure } = await loadTexts('en')
    const details = { host: 'login.example.com:443', cause: 'invalid_client' }
    for (const during of ['signIn', 'session'] as const) {
      const told = failure({ code: 'notConfigured', details }, during, undefined, 'identityProvider')
      expect(told.title).toBe('Your identity provider doesn’t accept Latchkey’s settings.')
      expect(told.body).toContain('administrator')
      expect(failure({ code: 'notConfigured' }, during, undefined, 'identityProvider').title).toContain(
        'Single sign-on is',
      )
    }
  })
})

test.each(LANGUAGES)(
  'a session of another provider or client has a different title than a session that has ended (%s)',
  async (language) => {
    const { failure } = await loadTexts(language)
    const titleOf = (details?: { cause: string }) =>
      failure({ code: 'sessionEnded', ...(details && { details }) }, 'session', undefined).title
    const titles = [titleOf(), titleOf({ cause: OTHER_ISSUER }), titleOf({ cause: OTHER_CLIENT })]
    expect(new Set(titles).size).toBe(titles.length)
  },
)

describe('invalid input has a separate sentence for each cause', () => {
  const causes: Record<Exclude<Operation, 'session'>, readonly string[]> = {
    settings: ['tooLong', 'malformed'],
    signIn: ['empty', 'tooLong', 'inexpressible', 'malformed', 'username', 'password'],
    challenge: ['malformed'],
    changePassword: ['currentPassword', 'empty', 'tooLong', 'inexpressible', 'malformed'],
  }
  test.each(Object.entries(causes))('%s', async (during, each) => {
    const { failure } = await loadTexts('en')
    const sentences = each.map((cause) => {
      const { title, body } = failure({ code: 'invalidInput', details: { cause } }, during as Operation, undefined)
      return `${title} ${body}`
    })
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\. [A-Z].*\.$/)
    expect(new Set(sentences).size).toBe(each.length)
  })
})

describe.each(LANGUAGES)('each problem of a setting has a sentence that says what to enter (%s)', (language) => {
  const problems: readonly SettingProblem[] = [
    'managed',
    'missing',
    'unusable',
    'notAnAddress',
    'notHttps',
    'hasCredentials',
    'hasQuery',
  ]
  test.each(SETTING_FIELDS)('%s', async (field) => {
    const { settings } = await loadTexts(language)
    const sentences = problems.map((problem) => settings.problem(field, problem))
    for (const sentence of sentences) expect(sentence).toMatch(/^\p{Lu}.*\.$/u)
    expect(new Set(sentences).size).toBe(problems.length)
  })
})

describe('the reason why tools can’t ask for tokens', () => {
  const common = { path: '/run/user/1000/latchkey/agent.sock', most: 103 }
  const errors: readonly AgentError[] = [
    { kind: 'pathTooLong', bytes: 120, ...common },
    { kind: 'inUse', ...common },
    { kind: 'notASocket', ...common },
    { kind: 'folderMissing', ...common },
    { kind: 'folderUnsafe', ...common },
    { kind: 'refused', cause: 'EACCES', ...common },
  ]
  test.each(errors)('the text for $kind names the path and says what to do', async (error) => {
    const said = (await loadTexts('en')).agent.error(error)
    expect(said).toContain(common.path)
    expect(said).toMatch(/(Set|set|Quit|Ask) |absolute/)
    expect(said).not.toContain(error.kind)
  })

  test('SECURITY: a value that isn’t a path is not shown', async () => {
    const said = (await loadTexts('en')).agent.error({ kind: 'pathNotAbsolute', ...common })
    expect(said).toBe('LATCHKEY_SOCKET isn’t an absolute path. Set it to an absolute path, or remove it.')
  })
})

test('the number of a tool’s tokens is shown if it is more than one', async () => {
  const { agent } = await loadTexts('en')
  expect(agent.used(1, 0, 120_000)).toBe('2 min. ago')
  expect(agent.used(1_400, 0, 120_000)).toBe('2 min. ago · 1,400 times')
})

describe('every known cause has words in every language', () => {
  test.each(LANGUAGES)('%s', async (language) => {
    const [{ details }, english] = [await loadTexts(language), await loadTexts('en')]
    expect(Object.keys(details.causes.known)).toEqual(Object.keys(english.details.causes.known))
    expect(Object.keys(details.causes.about)).toEqual(Object.keys(english.details.causes.about))
    expect(Object.keys(details.operations)).toEqual(Object.keys(english.details.operations))
  })
})

describe('a cause in words', () => {
  test.each([
    ['ENOTFOUND', 'no such host (ENOTFOUND)'],
    [
      'EPROTO (unsupported protocol)',
      'an encrypted connection could not be established (EPROTO: unsupported protocol)',
    ],
    ['HTML answer', 'the response is a web page'],
    [
      'redirect to https://portal.example',
      'the request was redirected to https://portal.example; Latchkey doesn’t follow redirects',
    ],
    ['proxy answered 403', 'the proxy refused the connection (HTTP 403)'],
    ['field refreshToken', 'the response’s field “refreshToken” is missing or wrong'],
    ['invalid_client', 'invalid_client'],
    ['EUNHEARD (of)', 'EUNHEARD (of)'],
  ])('%s', async (cause, words) => {
    expect(causeInWords((await loadTexts('en')).details.causes, cause)).toBe(words)
  })
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
    [{ ...active, kept: 'unwritten' }, 'Signed in as ana · data.example.com. Your session can’t be saved'],
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
    [{ ...unreachable, kept: 'unwritten' }, 'Can’t reach data.example.com. Your session can’t be saved'],
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
      { ...active, kind: 'ending', kept: 'unwritten', failure: { code: 'sessionEnded' } },
      'Your session can’t be renewed. Sign in again. Your session can’t be saved',
    ],
  ])('%o', async (session, line) => {
    expect(stateLine(await loadTexts('en'), { connection, session })).toBe(line)
  })

  test('a refresh under way is only shown in the tray', async () => {
    const texts = await loadTexts('en')
    const view = { connection, session: { ...active, refresh: 'running' } } as const
    expect(trayLine(texts, view)).toBe('Renewing')
    expect(stateLine(texts, view)).toBe('Signed in as ana · data.example.com')
  })

  test.each(LANGUAGES)('the line never says “session kept” if the keychain can’t store it (%s)', async (language) => {
    const texts = await loadTexts(language)
    for (const session of [unreachable, { ...unreachable, failure: { code: 'rateLimited' } } as const]) {
      expect(stateLine(texts, { connection, session })).toContain(texts.state.sessionKept)
      const unwritten = stateLine(texts, { connection, session: { ...session, kept: 'unwritten' } })
      expect(unwritten).not.toContain(texts.state.sessionKept)
      expect(unwritten).toContain(texts.state.unwritten)
    }
  })
})

test.each(LANGUAGES)('%s has a different sentence for each problem with a sign-in', async (language) => {
  const texts = await loadTexts(language)
  const titles = SIGN_IN_PROBLEMS.map((problem) => {
    const { title, body } = texts.failure({ code: 'interactionRequired', problem }, 'challenge', undefined)
    expect(body).not.toBe('')
    return title
  })
  expect(new Set(titles).size).toBe(SIGN_IN_PROBLEMS.length)
})
