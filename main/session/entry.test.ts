import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryText, refreshToken } from '../base/secret.ts'
import { addressOfEntry, type EntryContent, entryName, readEntry, storedSession, writeEntry } from './entry.ts'

const session = {
  grant: 'passwordRealm',
  issuer: 'https://login.example',
  username: 'ana',
  sub: 's',
  refreshToken: 'r',
} as const
const revocation = { grant: 'password', issuer: 'https://data.example', refreshToken: 'old' } as const
const good = { version: 1, session, revocations: [revocation] }
const entry: EntryContent = {
  session: storedSession(session),
  revocations: [{ ...revocation, refreshToken: refreshToken('old') }],
}

describe('the entry', () => {
  it('contains the session and the pending revocations, each with its issuer', () => {
    expect(JSON.parse(writeEntry(entry).reveal())).toEqual(good)
    expect(JSON.parse(writeEntry({ revocations: [] }).reveal())).toEqual({ version: 1, revocations: [] })
  })

  it('is read back unchanged, whatever its texts contain', () => {
    const words = fc.string({ unit: 'grapheme' })
    const token = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(words, fc.option(words, { nil: undefined }), fc.array(token), token, (username, sub, old, value) => {
        const written: EntryContent = {
          session: storedSession({ ...session, username, sub, refreshToken: value }),
          revocations: old.map((each) => ({ ...revocation, refreshToken: refreshToken(each) })),
        }
        const read = readEntry(writeEntry(written))
        expect(read.kind === 'entry' && writeEntry(read.entry).reveal()).toBe(writeEntry(written).reveal())
        expect(read.kind === 'entry' && read.entry.session?.refreshToken.reveal()).toBe(value)
      }),
    )
  })

  it.each([
    ['absent', undefined, {}],
    [
      'known',
      { startedAt: 5, said: { at: 9, saidAt: 7, isFixed: true } },
      { times: { startedAt: 5, said: { at: 9, saidAt: 7, isFixed: true } } },
    ],
    [
      'without a limit',
      { said: { at: 'never', saidAt: 7, isFixed: false } },
      { times: { said: { at: 'never', saidAt: 7, isFixed: false } } },
    ],
    ['of a wrong type', { startedAt: '5' }, {}],
    ['negative', { startedAt: -1 }, {}],
    ['later than any date', { startedAt: 1e300 }, {}],
    ['null', null, {}],
  ])('keeps its session, whatever the session’s times are: %s', (_, times, expected) => {
    const read = readEntry(entryText(JSON.stringify({ ...good, session: { ...session, times } })))
    const { times: found } = (read.kind === 'entry' && read.entry.session) || { times: 'damaged' }
    expect(found).toEqual('times' in expected ? expected.times : undefined)
  })

  it.each([
    ['only half of an entry', JSON.stringify(good).slice(0, -5)],
    ['only the beginning of an entry', '{"vers'],
    ['empty', ''],
    ['without a grant', JSON.stringify({ ...good, session: { ...session, grant: '' } })],
    ['without a list of revocations', JSON.stringify({ ...good, revocations: undefined })],
    ['without a token', JSON.stringify({ ...good, session: { ...session, refreshToken: undefined } })],
    ['with an empty token', JSON.stringify({ ...good, session: { ...session, refreshToken: '' } })],
    ['with a token of a wrong type', JSON.stringify({ ...good, session: { ...session, refreshToken: 7 } })],
    ['without a username', JSON.stringify({ ...good, session: { ...session, username: undefined } })],
    ['with an invalid issuer', JSON.stringify({ ...good, revocations: [{ ...revocation, issuer: 'x' }] })],
    ['with a missing issuer', JSON.stringify({ ...good, revocations: [{ ...revocation, issuer: undefined }] })],
  ])('is damaged if it is %s', (_, text) => {
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

  it.each([0, 2, 10, 99, 1.5, '1', '2', null, [1], { major: 1 }])(
    'is of an unknown version if its version is %j, whatever else it contains',
    (version) => {
      expect(readEntry(entryText(JSON.stringify({ ...good, version })))).toEqual({ kind: 'unknownVersion' })
      expect(readEntry(entryText(JSON.stringify({ version })))).toEqual({ kind: 'unknownVersion' })
    },
  )

  it.each([
    ['is not JSON', 'refresh'],
    ['is half an entry of a newer version', JSON.stringify({ ...good, version: 10 }).slice(0, -5)],
    ['is null', 'null'],
    ['is a number', '1'],
    ['is a list', '[]'],
    ['names no version', JSON.stringify({ ...good, version: undefined })],
  ])('is of an unknown version if it %s, which this version never writes', (_, text) => {
    expect(readEntry(entryText(text))).toEqual({ kind: 'unknownVersion' })
  })
})

describe('the name of an entry', () => {
  it('contains the address, and isn’t recognised by another installation', () => {
    const name = entryName('https://data.example/base', 'here')
    expect(addressOfEntry(name, 'here')).toBe('https://data.example/base')
    expect(addressOfEntry(name, 'there')).toBeUndefined()
    expect(addressOfEntry('https://data.example/base', 'here')).toBeUndefined()
    expect(addressOfEntry('https://data.example/base client secret', 'here')).toBeUndefined()
  })

  it('has a space, which no address has, and differs between installations', () => {
    expect(entryName('https://data.example', 'here')).toContain(' ')
    expect(entryName('https://data.example', 'here')).not.toBe(entryName('https://data.example', 'there'))
  })
})
