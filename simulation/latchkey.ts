import { OK } from '../contract/failures.ts'
import { type EntryText, password, type RefreshToken } from '../main/base/secret.ts'
import { entryName, storedSession, writeEntry } from '../main/session/entry.ts'
import { grantsByName } from '../main/session/grants/grant.ts'
import { passwordRealmGrant } from '../main/session/grants/grants.ts'
import type { Marker, SecretStore, StoredMarker } from '../main/session/ports.ts'
import { SessionEngine } from '../main/session/session-engine.ts'
import { type Computer, signInDelay } from './computer.ts'
import type { Notes } from './fleet.ts'
import type { Span } from './week.ts'

const ADDRESS = 'https://data.example'
const INSTALLATION = 'simulated'
const credentials = (username: string) => ({ username, password: password('quiet harbour') })

/** Runs the app's own session code on a computer whose keychain has the session of an earlier run. */
export function runLatchkey(computer: Computer, token: RefreshToken, days: readonly Span[], notes: Notes): void {
  const { name, random } = computer
  const found = { grant: 'passwordRealm', username: name, issuer: ADDRESS, refreshToken: token.reveal() } as const
  const session = storedSession(found)
  const engine = new SessionEngine({
    address: ADDRESS,
    installation: INSTALLATION,
    grants: grantsByName([
      passwordRealmGrant({
        issuer: ADDRESS,
        login: () => computer.login(),
        refresh: (sent) => computer.refresh(sent),
      }),
    ]),
    store: keychain(writeEntry({ session, revocations: [] })),
    marker: storedMarker(),
    clock: computer,
    random,
  })
  const signIn = async () => {
    const { ok } = await engine.signIn.begin('passwordRealm', credentials(name))
    if (!ok) signInLater()
  }
  const signInLater = () => computer.at(computer.now() + signInDelay(random), () => void signIn())
  let was = engine.state.kind
  engine.subscribe((state) => {
    const { kind } = state
    if (kind === 'unreachable') notes.away(name, computer.now(), state.token === undefined)
    else if (kind === 'active' && was === 'unreachable') notes.back(name, computer.now())
    if ((kind === 'ending' || kind === 'expired') && was !== 'ending' && was !== 'expired') {
      notes.sessionLost(name)
      signInLater()
    }
    if (kind !== 'signingIn') was = kind
  })
  computer.live(days, { started: () => void engine.start(), woken: () => engine.wake() })
}

function keychain(entry: EntryText): SecretStore {
  const entries = new Map([[entryName(ADDRESS, INSTALLATION), entry]])
  return {
    persistence: 'keychain',
    async read(name) {
      const value = entries.get(name)
      return value === undefined ? { kind: 'missing' } : { kind: 'found', value }
    },
    async write(name, value) {
      entries.set(name, value)
      return OK
    },
    async delete(name) {
      entries.delete(name)
      return OK
    },
  }
}

function storedMarker(): StoredMarker {
  const markers = new Map<string, Marker>([[entryName(ADDRESS, INSTALLATION), 'stored']])
  return {
    get: (name) => markers.get(name),
    set: (name, marker) => markers.set(name, marker) === markers,
    clear: (name) => markers.delete(name) || true,
  }
}
