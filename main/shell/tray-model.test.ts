import { beforeAll, describe, expect, it } from 'vitest'
import type { AccountView, Failure, SessionView } from '../../preload/contract.ts'
import { loadTexts, type Texts } from '../../text/index.ts'
import { type TrayModel, trayModel } from './tray-model.ts'

const account: AccountView = { username: 'ana', displayName: 'ana', method: 'password' }
const token = { receivedAt: 0, expiresAt: 3_600_000, renewsAt: 2_400_000 }
const failure: Failure = { code: 'unreachable' }
const ended: Failure = { code: 'sessionEnded' }
const connection = {
  baseAddress: 'https://data.example.com',
  host: 'data.example.com',
  source: 'user',
  methods: ['password'],
} as const

let texts: Texts
beforeAll(async () => {
  texts = await loadTexts('en')
})

const model = (session: SessionView): TrayModel => trayModel({ session, connection }, texts)
const actions = ({ menu }: TrayModel) => menu.flatMap((entry) => (entry.type === 'action' ? [entry.action] : []))

const active = { kind: 'active', account, token, renewal: 'idle', kept: 'keychain' } as const
const unreachable = { kind: 'unreachable', account, renewal: 'idle', kept: 'keychain', failure, retryAt: 0 } as const

const table: readonly (readonly [string, SessionView, TrayModel['icon'], readonly string[]])[] = [
  ['notConfigured', { kind: 'notConfigured' }, 'signedOut', ['show', 'quit']],
  ['restoring', { kind: 'restoring' }, 'renewing', ['show', 'quit']],
  ['keychainLocked', { kind: 'keychainLocked' }, 'needsYou', ['show', 'quit']],
  ['signedOut', { kind: 'signedOut', revocation: 'none' }, 'signedOut', ['show', 'quit']],
  ['signingIn', { kind: 'signingIn' }, 'renewing', ['show', 'quit']],
  ['active', active, 'signedIn', ['show', 'renewNow', 'signOut', 'quit']],
  ['active, renewing', { ...active, renewal: 'running' }, 'renewing', ['show', 'signOut', 'quit']],
  ['active, unwritten', { ...active, kept: 'unwritten' }, 'needsYou', ['show', 'renewNow', 'signOut', 'quit']],
  ['unreachable', unreachable, 'unreachable', ['show', 'renewNow', 'signOut', 'quit']],
  [
    'ending',
    { kind: 'ending', account, token, renewal: 'idle', kept: 'keychain', failure: ended },
    'needsYou',
    ['show', 'renewNow', 'signOut', 'quit'],
  ],
  [
    'expired',
    { kind: 'expired', account, renewal: 'idle', failure: ended },
    'needsYou',
    ['show', 'renewNow', 'signOut', 'quit'],
  ],
]

describe('trayModel', () => {
  it.each(table)('%s', (_, session, icon, expected) => {
    const made = model(session)
    expect(made.icon).toBe(icon)
    expect(actions(made)).toEqual(expected)
    expect(made.tooltip).toMatch(/^Latchkey: \S/)
  })

  it('says who is signed in, and where', () => {
    expect(model(active).tooltip).toBe('Latchkey: Signed in as ana · data.example.com')
  })

  it('says in its first line what it says in its tooltip', () => {
    for (const [, session] of table) {
      const { tooltip, menu } = model(session)
      expect(menu[0]).toEqual({ type: 'line', label: tooltip.replace('Latchkey: ', '') })
    }
  })
})
