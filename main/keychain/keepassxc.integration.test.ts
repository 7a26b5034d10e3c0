/** The real KeePassXC asks the user about each entry, once for each D-Bus connection. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type KeePassXC, startKeePassXC } from '../../test/keyring/keepassxc.ts'
import { type Keyring, startKeyring } from '../../test/keyring/keyring.ts'
import { type KeytarChildren, keytarChildren } from '../../test/keyring/keytar-child.ts'
import { ManualClock } from '../../test/support/manual-clock.ts'
import { entryText } from '../base/secret.ts'
import { KeytarProcess } from './keytar-process.ts'
import { KeytarStore } from './keytar-store.ts'
import { SecretService } from './secret-service.ts'

const NAME = 'https://data.example.com/'

let session: Keyring
let keePassXC: KeePassXC
let children: KeytarChildren
const running: KeytarProcess[] = []
const clock = new ManualClock()
let lastQuery: Promise<unknown> | undefined

beforeAll(async () => {
  session = await startKeyring({ state: 'noService' })
  keePassXC = await startKeePassXC(session)
  children = await keytarChildren(session)
})
afterEach(() => {
  for (const each of running.splice(0)) each.stop()
})
afterAll(async () => {
  await children?.stop()
  await keePassXC?.stop()
  await session?.stop()
})

function run(): KeytarStore {
  const keytar = new KeytarProcess({ fork: children.fork, clock })
  running.push(keytar)
  const service = new SecretService({ clock, busAddress: session.env.DBUS_SESSION_BUS_ADDRESS })
  const askSecretService = (account?: string) => {
    const query = service.ask(account)
    lastQuery = query
    return query
  }
  return new KeytarStore({ keytar, platform: 'linux', hostname: 'PC-17', clock, askSecretService })
}

it('a run asks the user at most once, even after a long time without a call to the keychain', async () => {
  const first = run()
  expect(await first.write(NAME, entryText('one'))).toEqual({ ok: true })
  const before = keePassXC.asked

  const second = run()
  keePassXC.answers('allow')
  expect((await second.read(NAME)).kind).toBe('found')
  for (const value of ['two', 'three']) {
    // The last query decides whether the connection is kept.
    await lastQuery
    clock.advance(60_000)
    expect(await second.write(NAME, entryText(value))).toEqual({ ok: true })
  }
  const read = await second.read(NAME)
  expect(read.kind === 'found' && read.value.reveal()).toBe('three')
  expect(keePassXC.asked).toBe(before + 1)
  expect(await second.delete(NAME)).toEqual({ ok: true })
})

it('if the user refuses access to an entry, the entry reads as locked and can’t be changed', async () => {
  expect(await run().write(NAME, entryText('one'))).toEqual({ ok: true })
  const store = run()
  const before = keePassXC.asked
  keePassXC.answers('close')
  expect(await store.read(NAME)).toEqual({ kind: 'locked' })
  expect(await store.read(NAME)).toEqual({ kind: 'locked' })
  expect(await store.write(NAME, entryText('two'))).toMatchObject({ ok: false })
  expect(await store.delete(NAME)).toMatchObject({ ok: false })
  expect(keePassXC.asked).toBe(before + 1)

  keePassXC.answers('allow')
  store.allowPrompts()
  const read = await store.read(NAME)
  expect(read.kind === 'found' && read.value.reveal()).toBe('one')
})
