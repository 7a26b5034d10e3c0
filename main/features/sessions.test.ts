import { beforeEach, describe, expect, it } from 'vitest'
import type { CallInput, Handlers } from '../../contract/calls.ts'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { Secret } from '../base/secret.ts'
import { RECOVERY_CODE_UNDER_WAY } from '../session/grants/grant.ts'
import { Sessions } from './sessions.ts'

type Ports = ConstructorParameters<typeof Sessions>[0]
type Session = NonNullable<ReturnType<Ports['connections']['session']>>
type SessionCall = keyof typeof INPUTS

const NO_SETTINGS = {} as ReturnType<Ports['settings']['of']>['view']
const UNREACHABLE: Outcome = fail({ code: 'unreachable' })
const INVALID: Outcome = fail({ code: 'invalidInput' })
const ADDRESS = 'https://data.example.com'

const INPUTS = {
  signIn: { grant: 'password', username: 'ana', password: 'x' },
  answerChallenge: { challenge: '7', kind: 'code', code: '123456' },
  showRecoveryCode: { challenge: '7' },
  reopenBrowser: { challenge: '7' },
  cancelSignIn: undefined,
  changePassword: { currentPassword: 'x', password: 'y' },
  lookAgain: undefined,
  signOut: undefined,
  refreshNow: undefined,
} as const satisfies { readonly [N in keyof Handlers]?: CallInput<N> }

/** The calls that were made, in order, with secrets revealed. */
let done: unknown[][]
let shown: string
let isSigningIn: boolean
/** What every call of a session or of the settings returns. */
let answer: Promise<Outcome>
let holdsRecoveryCode: boolean
let prompts: number
let sessions: Sessions

const revealed = (value: unknown): unknown => {
  if (value instanceof Secret) return `${value.kind} ${value.reveal()}`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revealed(each)]))
}
const note = (...what: unknown[]): void => void done.push(what.map(revealed))

function sessionOf(name: string): Session {
  const asked =
    (method: string) =>
    (...input: unknown[]) => {
      note(name, method, ...input)
      return answer
    }
  return {
    signIn: {
      begin: asked('signIn'),
      answer: asked('answerChallenge'),
      recoveryCode: (challenge) => {
        note(name, 'recoveryCode', challenge)
        return 'ABCD-EFGH'
      },
      reopen: asked('reopenBrowser'),
      cancel: () => note(name, 'cancelSignIn'),
      get holdsRecoveryCode() {
        return holdsRecoveryCode
      },
    },
    changePassword: asked('changePassword'),
    lookAgain: asked('lookAgain'),
    signOut: asked('signOut'),
    refresh: asked('refresh'),
  }
}

beforeEach(() => {
  done = []
  shown = 'staging'
  isSigningIn = false
  answer = Promise.resolve(OK)
  holdsRecoveryCode = false
  prompts = 0
  sessions = new Sessions({
    connections: {
      get view() {
        return { connections: [], mayAddConnections: true, shown, session: { kind: 'notConfigured' } as const }
      },
      get shown() {
        return shown
      },
      get isSigningIn() {
        return isSigningIn
      },
      session: (name = shown) => sessionOf(name),
      show: () => true,
      add: (_, baseAddress, probe) => probe?.(baseAddress) ?? answer,
      apply: async (name) => note('apply', name),
      remove: () => answer,
      afterChange: () => () => {},
      start: async () => {},
      stop: async () => {},
    },
    keychain: {
      allowPrompts: () => {
        prompts += 1
      },
    },
    clientSecrets: { prepared: async () => {} },
    settings: {
      of: (name) => ({
        view: NO_SETTINGS,
        check: () => INVALID,
        save(input, probe) {
          note('save', name, input)
          return probe === undefined ? answer : probe(ADDRESS)
        },
      }),
    },
    probe: async (address) => {
      note('probe', address)
      return UNREACHABLE
    },
    onPolicyChange: () => () => {},
    changed: () => {},
  })
})

const call = (name: SessionCall): Promise<Outcome<unknown>> =>
  (sessions.handlers[name] as (input: unknown) => Promise<Outcome<unknown>>)(INPUTS[name])

it.each<[SessionCall, unknown[], ('busy' | 'prompts')?, 'prompts'?]>([
  ['signIn', ['signIn', 'password', { username: 'ana', password: 'password x' }], 'busy', 'prompts'],
  ['answerChallenge', ['answerChallenge', '7', 'code', { code: 'code 123456' }], 'busy', 'prompts'],
  ['showRecoveryCode', ['recoveryCode', '7']],
  ['reopenBrowser', ['reopenBrowser', '7']],
  ['cancelSignIn', ['cancelSignIn']],
  ['changePassword', ['changePassword', { currentPassword: 'password x', newPassword: 'password y' }], 'busy'],
  ['lookAgain', ['lookAgain'], 'prompts'],
  ['signOut', ['signOut']],
  ['refreshNow', ['refresh']],
])(
  'the call %s goes to the shown connection with each secret wrapped; a password makes the app busy; the keychain may ask again',
  async (name, expected, ...effects) => {
    const outcome = call(name)
    shown = 'default'
    expect([sessions.isBusy, prompts > 0]).toEqual([effects.includes('busy'), effects.includes('prompts')])
    await expect(outcome).resolves.toMatchObject({ ok: true })
    expect(done).toEqual([['staging', ...expected]])
    expect(sessions.isBusy).toBe(false)
  },
)

it('the app is busy until the last pending call has ended, even if one throws, and while a sign-in waits for the user', async () => {
  let end = (_: Outcome): void => {}
  answer = new Promise((resolve) => {
    end = resolve
  })
  const first = call('signIn')
  answer = Promise.reject(new Error('a bug'))
  await expect(call('changePassword')).rejects.toThrow('a bug')
  expect(sessions.isBusy).toBe(true)
  end(OK)
  await first
  expect(sessions.isBusy).toBe(false)
  isSigningIn = true
  expect(sessions.isBusy).toBe(true)
})

describe('a call about the settings', () => {
  const saveSettings = (input: CallInput<'saveSettings'>) => sessions.handlers.saveSettings(input)
  const addConnection = (input: CallInput<'addConnection'>) => sessions.handlers.addConnection(input)

  it('saves and applies the settings for the connection that is shown when the call arrives', async () => {
    const outcome = saveSettings({ clientId: 'latchkey' })
    shown = 'default'
    await expect(outcome).resolves.toEqual(OK)
    expect(done).toEqual([
      ['save', 'staging', { clientId: 'latchkey' }],
      ['apply', 'staging'],
    ])
    expect(prompts).toBe(1)
  })

  it('applies nothing if the values are refused', async () => {
    answer = Promise.resolve(INVALID)
    await expect(saveSettings({ clientId: '' })).resolves.toEqual(INVALID)
    expect(done).toEqual([['save', 'staging', { clientId: '' }]])
  })

  it('saves nothing during a sign-in that holds a new recovery code, because the code would be lost', async () => {
    holdsRecoveryCode = true
    await expect(saveSettings({ clientId: 'latchkey' })).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    expect(done).toEqual([])
  })

  it.each([true, false])('tries a new address only if the page asks for that: %s', async (tryAddress) => {
    const expected = tryAddress ? UNREACHABLE : OK
    await expect(saveSettings({ baseAddress: ADDRESS, tryAddress })).resolves.toEqual(expected)
    await expect(addConnection({ name: 'trial', baseAddress: ADDRESS, tryAddress })).resolves.toEqual(expected)
    expect(done.filter(([what]) => what === 'probe')).toHaveLength(tryAddress ? 2 : 0)
  })
})
