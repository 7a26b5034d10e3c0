import { describe, expect, it } from 'vitest'
import { connection, sessionsAt, switchesOf } from '../../contract/testing.ts'
import type { ConnectionSessionView, SessionView, SignInNeed, SwitchesView } from '../../contract/views.ts'
import { loadTexts } from '../../text/index.ts'
import { type TrayModel, trayModel } from './tray-model.ts'

const texts = await loadTexts('en')
const NOW = 6_000_000
const sessions = sessionsAt(NOW)
const { active, unreachable, ending, expired, signedOut } = sessions
const { token, ...outOfTokens } = unreachable

type Given = Partial<{ needs: readonly SignInNeed[]; switches: SwitchesView; now: number }>
const one = (session: SessionView): ConnectionSessionView => ({ name: 'default', isOwn: false, session, connection })
const two = (first: SessionView, second: SessionView): readonly ConnectionSessionView[] => [
  one(first),
  { name: 'staging', isOwn: true, session: second, connection: { ...connection, host: 'staging.example.com' } },
]
function model(shown: SessionView | readonly ConnectionSessionView[], given: Given = {}): TrayModel {
  const { needs = [], switches = switchesOf(), now = NOW } = given
  const connections = 'kind' in shown ? [one(shown)] : shown
  const context = { now, canCopyToken: () => true, isTokenCopied: () => false }
  return trayModel({ connections, needs, switches }, texts, context)
}
const actions = ({ menu }: Pick<TrayModel, 'menu'>) => menu.flatMap(({ action }) => action ?? [])
const lines = ({ menu }: TrayModel) =>
  menu.flatMap(({ label, enabled, action }) => (label && enabled === false && !action ? [label] : []))

const ofApp = ['startAtLogin', 'settings', 'help', 'quit']
const withToken = ['show', 'refreshNow', 'copyToken', 'signOut']

it.each<[string, SessionView, TrayModel['icon'], readonly string[]]>([
  ['notConfigured', sessions.notConfigured, 'signedOut', ['show']],
  ['sessionUnread, missing', { kind: 'sessionUnread', why: 'missing' }, 'attention', ['signIn']],
  ['signedOut', signedOut, 'signedOut', ['signIn']],
  ['active', active, 'signedIn', withToken],
  ['active, refreshing', { ...active, refresh: 'running' }, 'refreshing', withToken],
  ['active, unsaved', { ...active, kept: 'unsaved' }, 'attention', withToken],
  ['unreachable, no token left', outOfTokens, 'unreachable', ['show', 'refreshNow', 'signIn', 'signOut']],
  ['ending', ending, 'attention', ['signIn', ...withToken.slice(1)]],
  ['expired', expired, 'attention', ['signIn']],
])('the tray shows icon, account and actions of the state %s', (_, session, icon, expected) => {
  const made = model(session)
  expect([made.icon, actions(made)]).toEqual([icon, [...expected, ...ofApp]])
  expect(made.tooltip).toMatch(/^Latchkey: \S/)
  const named = lines(made).filter((line) => line.includes('ana · data.example.com'))
  expect(named).toHaveLength('account' in session ? 1 : 0)
})

it('the item “Start at login” is disabled if it is managed', () => {
  const managed = switchesOf({ startAtLogin: { enabled: true, source: 'policy' } })
  const items = [model(active), model(active, { switches: managed })].map(({ menu }) => menu.at(-4))
  expect(items).toMatchObject([{ action: 'startAtLogin', enabled: true }, { enabled: false }])
})

it.each([
  [50 * 60_000 + 1, 'about 50 min left', 1],
  [50 * 60_000, 'about 45 min left', 5 * 60_000],
  [10 * 60_000 - 1, '9 min left', 60_000],
  [26.5 * 3_600_000, 'about 1 day 2 hr left', 30 * 60_000],
])('a remaining time of %d ms is shown as “%s”, which is updated after %d ms', (milliseconds, words, lasts) => {
  const made = model(ending, { now: token.expiresAt - milliseconds })
  const line = lines(made).find((each) => each.startsWith('Access token'))
  expect([line, made.staleIn]).toEqual([`Access token: ${words}`, lasts])
})

describe('tools that need a sign-in', () => {
  const [python, r, curl] = [{ name: 'Python' }, { name: '\u05d0b' }, { name: 'curl', host: 'cluster' }] as const
  const need = { connection: 'default', waiting: [], first: curl }

  it.each<[string, SignInNeed, string]>([
    ['asked for a token', need, 'cluster: curl needs you to sign in'],
    [
      'waits, with others',
      { ...need, waiting: [python, r, curl, python, r] },
      'Waiting for you to sign in: Python, \u2068\u05d0b\u2069, cluster: curl, and 2 more',
    ],
  ])('the icon, the tooltip and the menu say that a tool %s', (_, each, line) => {
    const made = model(signedOut, { needs: [each] })
    expect([made.icon, lines(made)[1]]).toEqual(['attention', line])
    expect(made.tooltip).toContain(`. ${line}`)
  })

  it('are only shown for a connection that is not signed in', () => {
    expect(model(unreachable, { needs: [need] })).toEqual(model(unreachable))
    expect(model(expired, { needs: [{ ...need, connection: 'staging' }] })).toEqual(model(expired))
  })
})

describe('several connections', () => {
  it.each<[string, SessionView, SessionView, TrayModel['icon']]>([
    ['needs the user', active, expired, 'attention'],
    ['is unreachable', unreachable, active, 'unreachable'],
  ])('the icon shows the most urgent state, of the connection that %s', (_, first, second, icon) => {
    expect([model(two(first, second)).icon, model(two(second, first)).icon]).toEqual([icon, icon])
  })

  it('each has a submenu with actions for this connection', () => {
    const made = model(two(active, expired))
    const menus = made.menu.flatMap(({ submenu }) => (submenu ? [submenu] : []))
    const own = menus.map((menu) => menu.filter(({ action }) => action !== undefined))
    expect(own.map((each) => each.map(({ action }) => action))).toEqual([withToken, ['signIn']])
    expect(own.map((each) => [...new Set(each.map((entry) => entry.connection))])).toEqual([['default'], ['staging']])
    expect(actions(made)).toEqual(['show', ...ofApp])
  })
})

it('SECURITY: ampersands in a name or a host are doubled, because a menu hides single ones', () => {
  const session = { ...active, account: { ...active.account, displayName: 'A&B' } }
  const named = { ...one(session), connection: { ...connection, host: 'c&d.test' } }
  for (const connections of [[named], [named, { ...named, name: 'staging' }]]) {
    const menu = JSON.stringify(model(connections).menu)
    expect([/A&B|c&d/.test(menu), menu.includes('A&&B'), menu.includes('c&&d')]).toEqual([false, true, true])
  }
})

it('SECURITY: a name can’t put HTML into a tooltip, because some panels would render the HTML', () => {
  const displayName = '<img src="http://evil.test/">&lt;b>'
  const { tooltip } = model({ ...active, account: { ...active.account, displayName } })
  expect(tooltip).toContain('‹img src="http://evil.test/">＆lt;b>')
})
