import { beforeEach, expect, it, vi } from 'vitest'
import { fail, OK, type Outcome } from '../../contract/failures.ts'
import { settle } from '../../test/support/manual-time.ts'
import { Listeners } from '../base/listeners.ts'
import { Secret } from '../base/secret.ts'
import { RECOVERY_CODE_UNDER_WAY } from '../session/grants/grant.ts'
import { Sessions } from './sessions.ts'

type Ports = ConstructorParameters<typeof Sessions>[0]

const UNREACHABLE: Outcome = fail({ code: 'unreachable' })
const INVALID: Outcome = fail({ code: 'invalidInput' })
const ADDRESS = 'https://data.example.com'

let done: unknown[][]
let shown: string
let isSigningIn: boolean
let answer: Promise<Outcome>
let holdsRecoveryCode: boolean
let policyChanges: Listeners
let ends: (() => void)[]
const endsLater = () => new Promise<void>((resolve) => ends.push(resolve))
const allowPrompts = vi.fn()
let sessions: Sessions

const revealed = (value: unknown): unknown => {
  if (value instanceof Secret) return `${value.kind} ${value.reveal()}`
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revealed(each)]))
}
const note = (...what: unknown[]): void => void done.push(what.map(revealed))

const method =
  (name: string, key: unknown) =>
  (...input: unknown[]) => {
    note(name, key, ...input)
    return answer
  }
/** An object whose methods note their calls, except for its own members. */
const noting = <T extends object>(name: string, own: object = {}): T =>
  new Proxy(own, {
    get: (target, key) => Reflect.get(target, key) ?? method(name, key),
  }) as T

const saving = (name: string) => (input: object, probe?: Ports['probe']) => {
  note(name, 'save', input)
  return probe?.(ADDRESS) ?? answer
}

beforeEach(() => {
  done = []
  shown = 'staging'
  isSigningIn = false
  answer = Promise.resolve(OK)
  holdsRecoveryCode = false
  policyChanges = new Listeners()
  ends = []
  allowPrompts.mockClear()
  sessions = new Sessions({
    connections: {
      get shown() {
        return shown
      },
      get isSigningIn() {
        return isSigningIn
      },
      session: (name = shown) => noting(name, { signIn: noting(name, { holdsRecoveryCode }) }),
      add: (_, baseAddress, probe) => probe?.(baseAddress) ?? answer,
      apply: async (name) => {
        await settle()
        note('apply', name)
      },
      afterChange: (_) => () => {},
      start: async () => note('start'),
      stop: endsLater,
    } as Ports['connections'],
    keychain: { allowPrompts },
    clientSecrets: { prepared: endsLater },
    settings: { of: (name) => noting(name, { save: saving(name) }) },
    probe: async () => UNREACHABLE,
    onPolicyChange: policyChanges.subscribe,
    changed: () => {},
  })
})

type Call = keyof Sessions['handlers']
const call = (name: Call, input?: object): Promise<Outcome<unknown>> =>
  (sessions.handlers[name] as (input: unknown) => Promise<Outcome<unknown>>)(input)
const challenge = '7'
const signIn = { grant: 'password', username: 'ana', password: 'x' }
const changePassword = { currentPassword: 'x', password: 'y' }

it.each<[Call, object | undefined, unknown[], ...('busy' | 'prompts')[]]>([
  ['signIn', signIn, ['begin', 'password', { username: 'ana', password: 'password x' }], 'busy', 'prompts'],
  [
    'answerChallenge',
    { challenge, kind: 'code', code: '1' },
    ['answer', '7', 'code', { code: 'code 1' }],
    'busy',
    'prompts',
  ],
  ['showRecoveryCode', { challenge }, ['recoveryCode', '7']],
  ['reopenBrowser', { challenge }, ['reopen', '7']],
  ['cancelSignIn', undefined, ['cancel']],
  [
    'changePassword',
    changePassword,
    ['changePassword', { currentPassword: 'password x', newPassword: 'password y' }],
    'busy',
  ],
  ['lookAgain', undefined, ['lookAgain'], 'prompts'],
  ['signOut', undefined, ['signOut']],
  ['refreshNow', undefined, ['refresh']],
  ['saveSettings', { clientId: 'latchkey' }, ['save', { clientId: 'latchkey' }], 'prompts'],
])(
  'the call %s goes to the shown connection with each secret wrapped; a password makes the app busy; the keychain may ask again',
  async (name, input, expected, ...effects) => {
    const outcome = call(name, input)
    shown = 'default'
    expect([sessions.isBusy, allowPrompts.mock.calls.length > 0]).toEqual([
      effects.includes('busy'),
      effects.includes('prompts'),
    ])
    expect(await outcome).toMatchObject({ ok: true })
    // The user's next action must already use the changed settings.
    const then = name === 'saveSettings' ? [['apply', 'staging']] : []
    expect(done).toEqual([['staging', ...expected], ...then])
    expect(sessions.isBusy).toBe(false)
  },
)

it('the app is busy until the last pending call has ended, even if one throws, and while a sign-in waits for the user', async () => {
  let end = (_: Outcome): void => {}
  answer = new Promise((resolve) => {
    end = resolve
  })
  const first = call('signIn', signIn)
  answer = Promise.reject(new Error('a bug'))
  await expect(call('changePassword', changePassword)).rejects.toThrow('a bug')
  expect(sessions.isBusy).toBe(true)
  end(OK)
  await first
  expect(sessions.isBusy).toBe(false)
  isSigningIn = true
  expect(sessions.isBusy).toBe(true)
})

it('refused settings aren’t applied, and none are saved while a sign-in holds a new recovery code, which would be lost', async () => {
  answer = Promise.resolve(INVALID)
  expect(await call('saveSettings', { clientId: '' })).toEqual(INVALID)
  holdsRecoveryCode = true
  expect(await call('saveSettings', { clientId: 'latchkey' })).toEqual(RECOVERY_CODE_UNDER_WAY)
  expect(done).toEqual([['staging', 'save', { clientId: '' }]])
})

it.each([true, false])('a new address is tried only if the page asks for that: %s', async (tryAddress) => {
  const input = { name: 'trial', baseAddress: ADDRESS, tryAddress }
  for (const name of ['saveSettings', 'addConnection'] as const)
    expect(await call(name, input)).toEqual(tryAddress ? UNREACHABLE : OK)
})

it('changes of the policy are applied until the app stops, which waits for the sessions and for reads of client secrets', async () => {
  await sessions.start()
  policyChanges.tell()
  const stopped = vi.fn()
  void sessions.stop().then(stopped)
  policyChanges.tell()
  expect([done, ends.length]).toEqual([[['start'], ['start']], 2])
  for (const end of ends) {
    await settle()
    expect(stopped).not.toHaveBeenCalled()
    end()
  }
  await settle()
  expect(stopped).toHaveBeenCalled()
})
