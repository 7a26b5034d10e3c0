import { describe, expect, it } from 'vitest'
import { entryText, refreshToken } from '../base/secret.ts'
import { addressOfEntry, type EntryContent, entryName, readEntry, storedSession, writeEntry } from './entry.ts'

const session = {
  grant: 'passwordRealm',
  issuer: 'https://login.example',
  username: 'ana',
  sub: 's',
  refreshToken: 'r',
  times: { startedAt: 5, said: { at: 9, saidAt: 7, isFixed: true } },
} as const
const revocation = { grant: 'password', issuer: 'https://data.example', refreshToken: 'old' } as const
const good = { version: 1, session, revocations: [revocation] }
const entry: EntryContent = {
  session: storedSession(session),
  revocations: [{ ...revocation, refreshToken: refreshToken('old') }],
}

describe('the entry', () => {
  it('contains the session and the pending revocations, each with its issuer, and is read back unchanged', () => {
    const odd = { ...session, username: 'Ana "Ž"\n大', refreshToken: '{"' }
    const written = writeEntry({ ...entry, session: storedSession(odd) })
    expect(JSON.parse(written.reveal())).toEqual({ ...good, session: odd })
    const read = readEntry(written)
    expect(read.kind === 'entry' && writeEntry(read.entry).reveal()).toBe(written.reveal())
    expect(JSON.parse(writeEntry({ revocations: [] }).reveal())).toEqual({ version: 1, revocations: [] })
  })

  it.each([{ startedAt: '5' }, { startedAt: -1 }, { startedAt: 1e300 }, null])(
    'keeps its session without the session’s times if they are unreadable: %j',
    (times) => {
      const read = readEntry(entryText(JSON.stringify({ ...good, session: { ...session, times } })))
      expect(read.kind === 'entry' && read.entry.session).toMatchObject({ username: 'ana', times: undefined })
    },
  )

  it.each([
    ['empty', ''],
    ['without a list of revocations', JSON.stringify({ ...good, revocations: undefined })],
    ['with an empty token', JSON.stringify({ ...good, session: { ...session, refreshToken: '' } })],
    ['with a token of a wrong type', JSON.stringify({ ...good, session: { ...session, refreshToken: 7 } })],
    ['with an invalid issuer', JSON.stringify({ ...good, revocations: [{ ...revocation, issuer: 'x' }] })],
  ])('SECURITY: no token of an entry is used if the entry is %s', (_, text) => {
    expect(readEntry(entryText(text))).toEqual({ kind: 'damaged' })
  })

  it('keeps its session even if a later version stored it with an unknown grant', () => {
    const text = entryText(JSON.stringify({ ...good, session: { ...session, grant: 'device' } }))
    expect(readEntry(text)).toMatchObject({ kind: 'entry', entry: { session: { grant: 'device', refreshToken: {} } } })
  })

  it('is damaged if a write was interrupted, so that the next sign-in can replace it', () => {
    const whole = writeEntry(entry).reveal()
    const kinds = new Set(Array.from(whole, (_, length) => readEntry(entryText(whole.slice(0, length))).kind))
    expect([...kinds]).toEqual(['damaged'])
  })

  it.each([
    'refresh',
    JSON.stringify({ ...good, version: 10 }).slice(0, -5),
    'null',
    '[]',
    '{"version":2}',
    '{"version":"1"}',
  ])('is of an unknown version if this version never writes it: %s', (text) => {
    expect(readEntry(entryText(text))).toEqual({ kind: 'unknownVersion' })
  })
})

it('the name of an entry contains the address, and isn’t recognised by another installation', () => {
  const name = entryName('https://data.example/base', 'here')
  expect(addressOfEntry(name, 'here')).toBe('https://data.example/base')
  expect(addressOfEntry(name, 'there')).toBeUndefined()
  expect(addressOfEntry('https://data.example/base client secret', 'here')).toBeUndefined()
})
