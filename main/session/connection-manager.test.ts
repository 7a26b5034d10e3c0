import { beforeEach, describe, expect, it, vi } from 'vitest'
import { OK, type Outcome } from '../../contract/failures.ts'
import { ManualTime, settle } from '../../test/support/manual-time.ts'
import { type Answer, ModelService } from '../../test/support/session/model-service.ts'
import { ModelMarker, ModelStore } from '../../test/support/session/model-store.ts'
import { DeadlineClock } from '../base/clock.ts'
import { password } from '../base/secret.ts'
import { ConnectionManager } from './connection-manager.ts'
import { entryName } from './entry.ts'
import { RECOVERY_CODE_UNDER_WAY } from './grants/grant.ts'
import { createGrants } from './grants/grants.ts'
import { SessionEngine } from './session-engine.ts'

const INSTALLATION = 'here'
const A = 'https://a.example'
const B = 'https://b.example'

let addresses: Map<string, string>
let connections: ConnectionManager
/** The addresses at which sessions were opened, and those at which sessions were opened only to revoke tokens. */
let opened: string[]
let openedToRevoke: string[]
let services: Map<string, ModelService>
let answer: Answer | undefined
let removal: Outcome
let time: ManualTime
let store: ModelStore
let marker: ModelMarker
let unused: () => Promise<void>
let bug: Error | undefined
let clientId: string | undefined

function serviceAt(issuer: string): ModelService {
  const known = services.get(issuer)
  if (known !== undefined) return known
  const service = new ModelService({ now: () => time.trueTime }, { issuer, countFrom: services.size * 1_000 })
  service.answering = ({ operation }) => (operation === 'login' ? 'reply' : answer)
  services.set(issuer, service)
  return service
}
const livingAt = (address: string) => serviceAt(address).families.map(({ isDead }) => !isDead)

beforeEach(() => {
  removal = OK
  addresses = new Map([['default', A]])
  opened = []
  openedToRevoke = []
  services = new Map()
  answer = 'reply'
  bug = clientId = undefined
  time = new ManualTime()
  const clock = new DeadlineClock(time)
  store = new ModelStore()
  marker = new ModelMarker()
  const opening = store.open(clock)
  const sessionAt = (address: string, isRemoved: boolean) => {
    const grants = createGrants({ service: serviceAt(address).client({ id: 1, clock, isAlive: () => true }) })
    const ports = { grants, store: opening, marker, clock, random: () => 0.5, isRemoved }
    return new SessionEngine({ address, installation: INSTALLATION, ...ports })
  }
  connections = new ConnectionManager({
    settings: {
      get names() {
        return [...addresses.keys()]
      },
      mayAdd: true,
      isOwn: (name) => name !== 'default',
      async add(name, baseAddress) {
        addresses.set(name, baseAddress)
        return OK
      },
      async remove(name) {
        if (removal.ok) addresses.delete(name)
        return removal
      },
    },
    removed: {
      installation: INSTALLATION,
      markers: () => Object.fromEntries(marker.marks),
      openRemoved(address) {
        openedToRevoke.push(address)
        return sessionAt(address, true)
      },
    },
    configured(name) {
      const baseAddress = addresses.get(name)
      if (!baseAddress) return undefined
      const identityProvider = { flow: 'browser', authUrl: 'https://login.example', scope: 'openid' } as const
      const provider = clientId === undefined ? {} : { identityProvider: { ...identityProvider, clientId } }
      return { baseAddress, host: new URL(baseAddress).host, source: 'user', ...provider }
    },
    async prepare(_, preparation) {
      if (bug !== undefined) throw bug
      unused = preparation.unused
    },
    open(_, { baseAddress }) {
      opened.push(baseAddress)
      return sessionAt(baseAddress, false)
    },
    clock,
  })
})

const ANA = { username: 'ana', password: password('SECRET old password') }
const signIn = () => connections.session()?.signIn.begin('password', ANA)
const kinds = () => Object.fromEntries(connections.view.connections.map(({ name, session }) => [name, session.kind]))
const startSignedIn = async () => {
  await connections.start()
  await settle()
  await signIn()
}
const addStaging = async () => {
  expect(await connections.add('staging', B)).toEqual(OK)
  await settle()
  await signIn()
}

it('the view shows the first configured connection unless the user chose another', async () => {
  addresses = new Map([
    ['default', ''],
    ['staging', B],
    ['other', 'https://c.example'],
  ])
  await connections.start()
  expect(connections.shown).toBe('staging')
  connections.show('other')
  expect(connections.shown).toBe('other')
  addresses.delete('other')
  await connections.start()
  expect(connections.shown).toBe('staging')
})

it('each connection has its own session, and `session()` without a name returns the shown one', async () => {
  await startSignedIn()
  await addStaging()
  expect(connections.view).toMatchObject({ shown: 'staging', session: { kind: 'active' } })
  expect(connections.session()).toBe(connections.session('staging'))
  expect(connections.session()).not.toBe(connections.session('default'))
  connections.show('default')
  await connections.session()?.signOut()
  expect(kinds()).toEqual({ default: 'signedOut', staging: 'active' })
  expect([livingAt(A), livingAt(B)]).toEqual([[false], [true]])
})

it('a session is replaced only if the settings of its own connection have changed', async () => {
  addresses.set('staging', B)
  await connections.start()
  await connections.start()
  addresses.set('default', 'https://c.example')
  addresses.set('staging', 'https://d.example')
  await connections.apply('staging')
  await settle()
  expect(opened.splice(0)).toEqual([A, B, 'https://d.example'])
  clientId = 'another'
  await connections.apply('staging')
  await settle()
  expect(opened).toEqual(['https://d.example'])
})

it('SECURITY: changed settings are announced at once, so that no tool gets the old data address', async () => {
  await connections.start()
  const announced = vi.fn()
  connections.subscribe(announced)
  void connections.apply('default')
  expect(announced).toHaveBeenCalledTimes(2)
})

describe('a connection to remove', () => {
  beforeEach(async () => {
    await startSignedIn()
    await addStaging()
  })

  it('is signed out at its service first, and the other connections continue', async () => {
    await expect(connections.remove('staging')).resolves.toEqual(OK)
    expect([livingAt(A), livingAt(B)]).toEqual([[true], [false]])
    expect(kinds()).toEqual({ default: 'active' })
    expect(connections.view.shown).toBe('default')
  })

  it('stays if it can’t be signed out, its service can’t be reached, or the settings can’t be written', async () => {
    const session = connections.session('staging')
    if (session !== undefined) vi.spyOn(session, 'signOut').mockResolvedValueOnce(RECOVERY_CODE_UNDER_WAY)
    await expect(connections.remove('staging')).resolves.toEqual(RECOVERY_CODE_UNDER_WAY)
    answer = 'unreachable'
    await expect(connections.remove('staging')).resolves.toMatchObject({ failure: { code: 'unreachable' } })
    answer = 'reply'
    removal = { ok: false, failure: { code: 'settingsUnwritable' } }
    await expect(connections.remove('staging')).resolves.toEqual(removal)
    expect(kinds()).toMatchObject({ staging: 'signedOut' })
  })

  it('is closed without a sign-out if the administrator removed it', async () => {
    addresses.delete('staging')
    await connections.start()
    expect([connections.session('staging'), connections.view.shown]).toEqual([undefined, 'default'])
    expect(livingAt(B)).toEqual([true])
    addresses.set('staging', B)
    await connections.start()
    await settle()
    expect(kinds()).toMatchObject({ staging: 'active' })
  })
})

describe('a former address', () => {
  const ENTRY_A = entryName(A, INSTALLATION)

  const moveTo = async (address: string) => {
    addresses.set('default', address)
    await connections.start()
    await settle()
  }
  /** The user signs out while the service can't be reached, and then the address changes. */
  const leaveUnrevoked = async () => {
    await startSignedIn()
    answer = 'unreachable'
    marker.set(entryName('nonsense', INSTALLATION), 'signedOut')
    await connections.session()?.signOut()
    await moveTo(A)
    expect(openedToRevoke).toEqual([])
    await moveTo(B)
    expect([opened, openedToRevoke]).toEqual([[A, B], [A]])
  }
  /** The service has received a revocation, and hasn't responded yet. */
  const leaveUnderWay = async () => {
    await leaveUnrevoked()
    answer = undefined
    connections.wake()
    await settle()
    serviceAt(A).pending[0]?.answer('reply')
    await settle()
    expect(serviceAt(A).pending).toMatchObject([{ operation: 'logout' }])
  }
  const expectNothingLeft = () => {
    expect(livingAt(A)).toEqual([false])
    expect([...store.entries.keys()]).toEqual([])
    expect(marker.get(ENTRY_A)).toBeUndefined()
  }

  it('receives a pending revocation after the address has changed, even if the keychain loses the entry', async () => {
    await leaveUnrevoked()
    store.entries.clear()
    connections.verifyEntries()
    await settle()
    expect([...store.entries.keys()]).toEqual([ENTRY_A])
    answer = 'reply'
    await time.passSettling(10 * 60_000)
    expectNothingLeft()
  })

  it('receives no request if the user didn’t sign out, and the session is restored when the address is set again', async () => {
    await startSignedIn()
    const before = serviceAt(A).log.length
    await moveTo(B)
    await time.passSettling(10 * 60_000)
    expect(serviceAt(A).log).toHaveLength(before)
    await moveTo(A)
    expect(connections.view.session.kind).toBe('active')
  })

  it('receives a pending revocation, which doesn’t end a newer session at this address', async () => {
    await leaveUnrevoked()
    await moveTo(A)
    await signIn()
    await moveTo(B)
    answer = 'reply'
    const before = serviceAt(A).log.length
    await time.passSettling(10 * 60_000)
    // Only the earlier session's revocation is sent, after the refresh that it needs.
    expect(
      serviceAt(A)
        .log.slice(before)
        .map((line) => line.split(' ')[0]),
    ).toEqual(['refresh', 'logout'])
    expect(livingAt(A)).toEqual([false, true])
    expect(marker.get(ENTRY_A)).toBe('stored')
    await moveTo(A)
    expect(connections.view.session.kind).toBe('active')
  })

  it('gets a new session only after the revocation under way has ended', async () => {
    await leaveUnderWay()
    addresses.set('default', A)
    void connections.start()
    await settle()
    expect(opened).toEqual([A, B])
    serviceAt(A).pending[0]?.answer('reply')
    await settle()
    expect(opened).toEqual([A, B, A])
    expectNothingLeft()
  })

  it('delays quitting until its service has responded to the revocation under way', async () => {
    await leaveUnderWay()
    const stopped = vi.fn()
    void connections.stop().then(stopped)
    await settle()
    expect(stopped).not.toHaveBeenCalled()
    serviceAt(A).pending[0]?.answer('reply')
    await settle()
    expect(stopped).toHaveBeenCalled()
    expectNothingLeft()
  })
})

it('`unused` resolves when nobody is signed in or signing in', async () => {
  await startSignedIn()
  const isUnused = vi.fn()
  void unused().then(isUnused)
  await connections.session()?.refresh()
  const signingIn = signIn()
  expect(connections.isSigningIn).toBe(true)
  await signingIn
  expect(isUnused).not.toHaveBeenCalled()
  await connections.session()?.signOut()
  expect(isUnused).toHaveBeenCalled()
})

it('a connection is restoring until its session’s state is known, and again while the app quits', async () => {
  addresses.set('empty', '')
  marker.set(entryName(A, INSTALLATION), 'stored')
  store.mode = 'hangs'
  const restoring = () => ['default', 'empty', 'nowhere'].filter((name) => connections.isRestoring(name))
  const restored = vi.fn()
  void connections.restored().then(restored)
  expect(restoring()).toEqual(['default'])
  await connections.start()
  await settle()
  expect(restored).not.toHaveBeenCalled()
  store.mode = 'ok'
  await settle()
  expect([restored.mock.calls.length, restoring()]).toEqual([1, []])
  await connections.stop()
  expect([connections.session('default'), restoring()]).toEqual([undefined, ['default']])
})

it('if preparing a connection throws because of a bug, no session is opened, and the caller gets the error', async () => {
  bug = new Error('a bug')
  await expect(connections.start()).rejects.toBe(bug)
  expect(opened).toEqual([])
})

it('a stopped manager opens no session', async () => {
  // A token is still to be revoked at an address that no connection has.
  marker.set(entryName(B, INSTALLATION), 'signedOut')
  const starting = connections.start()
  await connections.stop()
  await starting
  await connections.start()
  await settle()
  expect([opened, openedToRevoke]).toEqual([[], []])
})
