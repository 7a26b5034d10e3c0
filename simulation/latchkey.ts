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
    grants: grantsByName([passwordRealmGrant({ issuer: ADDRESS, login: computer.login, refresh: computer.refresh })]),
    ...storage(writeEntry({ session, revocations: [] })),
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

/** A keychain that has this entry, and the marker that says so. */
function storage(entry: EntryText): { readonly store: SecretStore; readonly marker: StoredMarker } {
  const only = entryName(ADDRESS, INSTALLATION)
  const entries = new Map([[only, entry]])
  const markers = new Map<string, Marker>([[only, 'stored']])
  const store: SecretStore = {
    persistence: 'keychain',
    async read(name) {
      const value = entries.get(name)
      return value === undefined ? { kind: 'missing' } : { kind: 'found', value }
    },
    write: async (name, value) => entries.set(name, value) && OK,
    async delete(name) {
      entries.delete(name)
      return OK
    },
  }
  const marker: StoredMarker = {
    get: (name) => markers.get(name),
    set: (name, value) => markers.set(name, value) === markers,
    clear: (name) => markers.delete(name) || true,
  }
  return { store, marker }
}
