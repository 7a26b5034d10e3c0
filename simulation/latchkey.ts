import { sessionEntryName, writeSessionEntry } from '../main/session/entry.ts'
import type { Marker, SecretStore, StoredMarker } from '../main/session/ports.ts'
import { type EntryText, password, type RefreshToken } from '../main/session/secret.ts'
import { Session } from '../main/session/session.ts'
import { type Computer, signInDelay } from './computer.ts'
import type { Notes } from './notes.ts'
import type { Span } from './week.ts'

const NAME = 'https://data.example'
const DONE = { ok: true, value: undefined } as const
const credentials = (username: string) => ({ username, password: password('quiet harbour') })

/** The app's own engine on a computer, with the session of an earlier run in its keychain. */
export function runLatchkey(computer: Computer, token: RefreshToken, days: readonly Span[], notes: Notes): void {
  const { name, random } = computer
  const session = new Session({
    name: NAME,
    services: {
      password: { issuer: NAME, login: () => computer.login(), refresh: (sent) => computer.refresh(sent) },
    },
    store: keychain(writeSessionEntry({ method: 'password', username: name, issuer: NAME, refreshToken: token })),
    marker: storedMarker(),
    clock: computer,
    random,
  })
  const signIn = async () => {
    const { ok } = await session.signIn('password', credentials(name))
    if (!ok) signInLater()
  }
  const signInLater = () => computer.at(computer.now() + signInDelay(random), () => void signIn())
  let was = session.state.kind
  session.subscribe((state) => {
    const { kind } = state
    if (kind === 'unreachable') notes.away(name, computer.now(), state.token === undefined)
    else if (kind === 'active' && was === 'unreachable') notes.back(name, computer.now())
    if ((kind === 'ending' || kind === 'expired') && was !== 'ending' && was !== 'expired') {
      notes.sessionLost(name)
      signInLater()
    }
    if (kind !== 'signingIn') was = kind
  })
  computer.live(days, { started: () => void session.start(), woken: () => session.wake() })
}

function keychain(entry: EntryText): SecretStore {
  const entries = new Map([[sessionEntryName(NAME), entry]])
  return {
    persistence: 'keychain',
    async read(name) {
      const value = entries.get(name)
      return value === undefined ? { kind: 'missing' } : { kind: 'found', value }
    },
    async write(name, value) {
      entries.set(name, value)
      return DONE
    },
    async delete(name) {
      entries.delete(name)
      return DONE
    },
  }
}

function storedMarker(): StoredMarker {
  let marker: Marker | undefined = 'stored'
  return {
    get: () => marker,
    set: (_, value) => {
      marker = value
    },
    clear: () => {
      marker = undefined
    },
  }
}
