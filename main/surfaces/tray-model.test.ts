import { describe, expect, it } from 'vitest'
import type { Failure } from '../../contract/failures.ts'
import { GRANTS } from '../../contract/grants.ts'
import type { AccountView, SessionView, SignInNeed, SwitchesView } from '../../contract/views.ts'
import { loadTexts } from '../../text/index.ts'
import { type TrayContext, type TrayModel, trayModel } from './tray-model.ts'

const account: AccountView = { username: 'ana', displayName: 'ana', grant: GRANTS.password }
const token = { receivedAt: 0, expiresAt: 3_600_000, refreshesAt: 2_400_000 }
const failure: Failure = { code: 'unreachable' }
const ended: Failure = { code: 'sessionEnded' }
const connection = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  grants: [GRANTS.password],
} as const

const texts = await loadTexts('en')

const NOW = 600_000
const context: TrayContext = {
  now: NOW,
  canCopyToken: () => true,
  isTokenCopied: () => false,
}
const model = (
  session: SessionView,
  changes: Partial<TrayContext> = {},
  switches: Pick<SwitchesView, 'startAtLogin'> = { startAtLogin: { enabled: false } },
  needs: readonly SignInNeed[] = [],
): TrayModel =>
  trayModel({ connections: [{ name: 'default', isOwn: false, session, connection }], needs, switches }, texts, {
    ...context,
    ...changes,
  })
const actions = ({ menu }: TrayModel) => menu.flatMap((entry) => ('action' in entry ? [entry.action] : []))
const lines = ({ menu }: TrayModel) => menu.flatMap((entry) => (entry.type === 'line' ? [entry.label] : []))

const active = { kind: 'active', account, token, refresh: 'idle', kept: 'keychain' } as const
const unreachable = { kind: 'unreachable', account, refresh: 'idle', kept: 'keychain', failure, retryAt: 0 } as const

const ending = { ...active, kind: 'ending', failure: ended } as const
const expired = { kind: 'expired', account, refresh: 'idle', failure: ended } as const

/** The actions about the app, at the end of every menu. */
const ofApp = ['startAtLogin', 'settings', 'help', 'quit']
const showOnly = ['show', ...ofApp]
const signedOut = ['signIn', ...ofApp]
const withToken = ['show', 'refreshNow', 'copyToken', 'signOut', ...ofApp]
const beginningWithSignIn = ([, ...rest]: readonly string[]) => ['signIn', ...rest]

const table: readonly (readonly [string, SessionView, TrayModel['icon'], readonly string[]])[] = [
  ['notConfigured', { kind: 'notConfigured' }, 'signedOut', showOnly],
  ['restoring', { kind: 'restoring' }, 'refreshing', showOnly],
  ['sessionUnread, locked', { kind: 'sessionUnread', why: 'locked' }, 'attention', showOnly],
  ['sessionUnread, missing', { kind: 'sessionUnread', why: 'missing' }, 'attention', signedOut],
  ['unknownVersion', { kind: 'unknownVersion' }, 'attention', showOnly],
  ['signedOut', { kind: 'signedOut', revocation: 'none' }, 'signedOut', signedOut],
  ['signingIn', { kind: 'signingIn' }, 'refreshing', showOnly],
  ['active', active, 'signedIn', withToken],
  ['active, refreshing', { ...active, refresh: 'running' }, 'refreshing', withToken],
  ['active, unsaved', { ...active, kept: 'unsaved' }, 'attention', withToken],
  ['unreachable, no token left', unreachable, 'unreachable', ['show', 'refreshNow', 'signIn', 'signOut', ...ofApp]],
  ['unreachable', { ...unreachable, token }, 'unreachable', withToken],
  ['unreachable, unsaved', { ...unreachable, token, kept: 'unsaved' }, 'attention', withToken],
  ['ending', ending, 'attention', beginningWithSignIn(withToken)],
  ['expired', expired, 'attention', signedOut],
]

describe('trayModel', () => {
  it.each(table)('has the icon and the actions for the state %s', (_, session, icon, expected) => {
    const made = model(session)
    expect(made.icon).toBe(icon)
    expect(actions(made)).toEqual(expected)
    expect(made.tooltip).toMatch(/^Latchkey: \S/)
  })

  it('names the account exactly once, if somebody is signed in', () => {
    for (const [, session] of table) {
      const named = lines(model(session)).filter((line) => line.includes('ana · data.example.com'))
      expect(named).toHaveLength('account' in session ? 1 : 0)
    }
  })

  it.each([
    [undefined, true],
    ['user', true],
    ['policy', false],
    ['environment', false],
  ] as const)('enables the item “Start at login” unless it is managed: %s', (source, enabled) => {
    const startAtLogin = { enabled: true, ...(source && { source }) }
    expect(model(active, {}, { startAtLogin }).menu).toContainEqual(
      expect.objectContaining({ action: 'startAtLogin', enabled }),
    )
  })
})

describe('the remaining time', () => {
  const { expiresAt } = token

  const left = (milliseconds: number) => {
    const made = model(ending, { now: expiresAt - milliseconds })
    return [lines(made).find((line) => line.startsWith('Access token')), made.staleIn]
  }

  it.each([
    [50 * 60_000 + 1, 'about 50 min left', 1],
    [50 * 60_000, 'about 45 min left', 5 * 60_000],
    [14 * 60_000, 'about 10 min left', 4 * 60_000],
    [10 * 60_000 + 1, 'about 10 min left', 1],
    [10 * 60_000, '10 min left', 1],
    [10 * 60_000 - 1, '9 min left', 60_000],
    [62 * 60_000, 'about 1 hr left', 2 * 60_000],
    [26.5 * 3_600_000, 'about 1 day 2 hr left', 30 * 60_000],
  ])('%d ms are shown as “%s”, which is updated after %d ms', (milliseconds, words, lasts) => {
    expect(left(milliseconds)).toEqual([`Access token: ${words}`, lasts])
  })

  it.each([
    ['the token has expired', ending, expiresAt, false],
    ['there is no token', unreachable, NOW, false],
    ['the user is signed out', { kind: 'signedOut', revocation: 'none' } as const, NOW, false],
    ['the token will be refreshed in time', active, NOW, true],
  ])('isn’t shown, and needs no timer, if %s', (_, session, now, canCopy) => {
    const made = model(session, { now })
    expect(lines(made).join()).not.toContain('left')
    expect(made.staleIn).toBeUndefined()
    expect(actions(made).includes('copyToken')).toBe(canCopy)
  })
})

describe('tools that need a sign-in', () => {
  const [python, r, curl] = [{ name: 'Python' }, { name: 'R' }, { name: 'curl', host: 'cluster' }] as const
  const need = { connection: 'default', waiting: [], first: curl }
  const switches = { startAtLogin: { enabled: false } }

  it.each<[string, SessionView, SignInNeed, TrayModel['icon'], string]>([
    [
      'asked for a token',
      { kind: 'signedOut', revocation: 'done' },
      need,
      'attention',
      'cluster: curl needs you to sign in',
    ],
    ['waits', expired, { ...need, waiting: [python] }, 'attention', 'Waiting for you to sign in: Python'],
    [
      'waits under a name that reads from the right',
      expired,
      { ...need, waiting: [{ name: '\u05d0b' }] },
      'attention',
      'Waiting for you to sign in: \u2068\u05d0b\u2069',
    ],
    [
      'waits, with others',
      { kind: 'signedOut', revocation: 'none' },
      { ...need, waiting: [python, r, curl, python, r] },
      'attention',
      'Waiting for you to sign in: Python, R, cluster: curl, and 2 more',
    ],
  ])('the icon, the tooltip and the menu say that a tool %s', (_, session, each, icon, line) => {
    const made = model(session, {}, switches, [each])
    expect([made.icon, lines(made)[1]]).toEqual([icon, line])
    expect(made.tooltip).toContain(`. ${line}`)
  })

  it('are only shown for a connection that is not signed in', () => {
    const waits = { ...need, waiting: [python] }
    expect(model(unreachable, {}, switches, [waits])).toEqual(model(unreachable))
    expect(model(expired, {}, switches, [{ ...waits, connection: 'staging' }])).toEqual(model(expired))
  })
})

describe('several connections', () => {
  const staging = { ...connection, host: 'staging.example.com' }
  const several = (first: SessionView, second: SessionView): TrayModel =>
    trayModel(
      {
        connections: [
          { name: 'default', isOwn: false, session: first, connection },
          { name: 'staging', isOwn: true, session: second, connection: staging },
        ],
        needs: [],
        switches: { startAtLogin: { enabled: false } },
      },
      texts,
      context,
    )

  it.each<[string, SessionView, SessionView, TrayModel['icon']]>([
    ['needs the user', active, expired, 'attention'],
    ['is unreachable', unreachable, active, 'unreachable'],
    ['is signed in', { kind: 'signedOut', revocation: 'none' }, active, 'signedIn'],
  ])('the icon shows the most urgent state, of the connection that %s', (_, first, second, icon) => {
    expect(several(first, second).icon).toBe(icon)
    expect(several(second, first).icon).toBe(icon)
  })

  it('SECURITY: ampersands in a name or a host are doubled, because a menu hides single ones', () => {
    const session = { ...active, account: { ...account, displayName: 'A&B' } }
    const one = { name: 'default', isOwn: false, session, connection: { ...connection, host: 'c&d.test' } }
    for (const connections of [[one], [one, { ...one, name: 'staging' }]]) {
      const menu = JSON.stringify(trayModel({ connections, needs: [], switches: {} }, texts, context).menu)
      expect([/A&B|c&d/.test(menu), menu.includes('A&&B'), menu.includes('c&&d')]).toEqual([false, true, true])
    }
  })

  it('SECURITY: a name can’t put HTML into a tooltip, because some panels would render the HTML', () => {
    const displayName = '<img src="http://evil.test/">&lt;b>'
    const session = { ...active, account: { ...account, displayName } }
    const { tooltip } = trayModel(
      { connections: [{ name: 'default', isOwn: false, session }], needs: [], switches: {} },
      texts,
      context,
    )
    expect(tooltip).toContain('‹img src="http://evil.test/">＆lt;b>')
  })

  it('each connection has a submenu with actions for this connection', () => {
    const made = several(active, expired)
    const menus = made.menu.flatMap((entry) => (entry.type === 'submenu' ? [entry] : []))
    expect(menus.map(({ label }) => label)).toEqual([
      expect.stringContaining('data.example.com'),
      expect.stringContaining('staging.example.com'),
    ])
    for (const [index, name] of ['default', 'staging'].entries()) {
      const own = menus[index]?.entries.flatMap((entry) => (entry.type === 'action' ? [entry] : [])) ?? []
      expect(own.map(({ connection: about }) => about)).toEqual(own.map(() => name))
      const expected = name === 'default' ? ['show', 'refreshNow', 'copyToken', 'signOut'] : ['signIn']
      expect(own.map(({ action }) => action)).toEqual(expected)
    }
    expect(actions(made)).toEqual(['show', ...ofApp])
  })

  it('the menu is updated when the remaining time of any connection changes', () => {
    const until = (expiresAt: number): SessionView => ({ ...ending, token: { ...token, expiresAt } })
    expect(several(until(NOW + 170_000), until(NOW + 90_000)).staleIn).toBe(30_001)
  })
})
