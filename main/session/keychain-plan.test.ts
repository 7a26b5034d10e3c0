import { describe, expect, it } from 'vitest'
import {
  decisionAfter,
  type EntryStatus,
  type KeychainAction,
  mustHoldBack,
  nextAction,
  type ReadDecision,
  type ReadOutcome,
  type WantedContent,
} from './keychain-plan.ts'

const WANTED: Readonly<Record<string, readonly WantedContent[]>> = {
  'any session': ['session', 'sessionAndRevocations'],
  'any tokens': ['revocations', 'session', 'sessionAndRevocations'],
}
const FOUND = 'unread unreadSuperseded unknownVersion missing deleted current outdated superseded'.split(' ')
const MARKS = ['none', 'stored', 'revoking', 'signedOut'] as const

/** While it is undecided what to store, the actions are the same with and without a keychain. */
const UNDECIDED = `
  undecided              unread                                                      rest           read           read           read
  undecided              all but unread                                              rest           rest           rest           rest

  undecidedRevocations   unread                                                      read           read           read           read
  undecidedRevocations   all but unread                                              rest           rest           rest           rest
`

const TABLE = `
  wanted                 found                                                       none           stored         revoking       signedOut
${UNDECIDED}
  nothing                unread unreadSuperseded                                     markSignedOut  markSignedOut  markSignedOut  read
  nothing                unknownVersion                                              rest           rest           rest           rest
  nothing                missing                                                     rest           markSignedOut  markSignedOut  delete
  nothing                deleted                                                     rest           unmark         unmark         unmark
  nothing                current outdated superseded                                 markSignedOut  markSignedOut  markSignedOut  delete

  revocations            unread unreadSuperseded                                     markSignedOut  markSignedOut  markSignedOut  read
  revocations            unknownVersion                                              rest           rest           rest           rest
  revocations            missing deleted outdated superseded                         markSignedOut  markSignedOut  markSignedOut  write
  revocations            current                                                     markSignedOut  markSignedOut  markSignedOut  rest

  session                unread                                                      read           read           read           read
  session                unreadSuperseded                                            markSignedOut  markSignedOut  markSignedOut  read
  session                unknownVersion                                              rest           rest           rest           rest
  session                missing                                                     markStored     write          markStored     withdraw
  session                deleted outdated                                            markStored     write          markStored     markStored
  session                current                                                     markStored     rest           markStored     markStored
  session                superseded                                                  markSignedOut  markSignedOut  markSignedOut  withdraw

  sessionAndRevocations  unread                                                      read           read           read           read
  sessionAndRevocations  unreadSuperseded                                            markSignedOut  markSignedOut  markSignedOut  read
  sessionAndRevocations  unknownVersion                                              rest           rest           rest           rest
  sessionAndRevocations  missing                                                     markRevoking   markRevoking   write          withdraw
  sessionAndRevocations  deleted outdated                                            markRevoking   markRevoking   write          markRevoking
  sessionAndRevocations  current                                                     markRevoking   markRevoking   rest           markRevoking
  sessionAndRevocations  superseded                                                  markSignedOut  markSignedOut  markSignedOut  withdraw
`

/** The action without a keychain, which adds no marker. A marker left for an unwanted session becomes `signedOut`. */
const IN_MEMORY = `
  wanted                 found                                                       none           stored         revoking       signedOut
${UNDECIDED}
  nothing                unread unreadSuperseded                                     read           markSignedOut  markSignedOut  read
  nothing                unknownVersion deleted                                      rest           rest           rest           rest
  nothing                missing                                                     rest           markSignedOut  markSignedOut  delete
  nothing                current outdated superseded                                 delete         markSignedOut  markSignedOut  delete

  revocations            unread unreadSuperseded                                     read           markSignedOut  markSignedOut  read
  revocations            unknownVersion                                              rest           rest           rest           rest
  revocations            missing deleted outdated superseded                         write          markSignedOut  markSignedOut  write
  revocations            current                                                     rest           markSignedOut  markSignedOut  rest

  any session            unread                                                      read           read           read           read
  any session            unreadSuperseded                                            read           markSignedOut  markSignedOut  read
  any session            unknownVersion current                                      rest           rest           rest           rest
  any session            missing deleted outdated                                    write          write          write          write
  any session            superseded                                                  write          markSignedOut  markSignedOut  write
`

/** The action with a keychain while the settings can't be written, so no action can change the marker. */
const STUCK = `
  wanted                 found                                                       none           stored         revoking       signedOut
${UNDECIDED}
  nothing                unread unreadSuperseded                                     read           read           read           read
  nothing                unknownVersion                                              rest           rest           rest           rest
  nothing                missing                                                     rest           write          write          delete
  nothing                deleted                                                     rest           write          write          rest
  nothing                current                                                     delete         rest           rest           delete
  nothing                outdated superseded                                         delete         write          write          delete

  any tokens             unread unreadSuperseded                                     read           read           read           read
  any tokens             unknownVersion current                                      rest           rest           rest           rest
  any tokens             missing deleted outdated superseded                         write          write          write          write
`

const rowsOf = (table: string, persistence: EntryStatus['persistence'], isMarkStuck = false) =>
  table
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
    .filter(([first, ...rest]) => first !== 'wanted' && rest.length > 0)
    .flatMap(([wantedNames = '', foundNames = '', ...actions]) =>
      (WANTED[wantedNames] ?? [wantedNames]).flatMap((wanted) =>
        (foundNames === 'all but unread' ? FOUND.slice(1) : foundNames.split(' ')).flatMap((found) =>
          MARKS.map((mark, index) => ({
            status: { wanted, found, mark, isMarkStuck, persistence } as EntryStatus,
            action: actions[index] as KeychainAction,
          })),
        ),
      ),
    )
const TABLES = [rowsOf(TABLE, 'keychain'), rowsOf(IN_MEMORY, 'memory'), rowsOf(STUCK, 'keychain', true)] as const
const ROWS = TABLES.flat()

it('each table has one row for every combination', () => {
  for (const rows of TABLES) {
    expect(rows).toHaveLength(6 * FOUND.length * MARKS.length)
    expect(new Set(rows.map(({ status }) => Object.values(status).join())).size).toBe(rows.length)
  }
})

it.each(ROWS)(
  'wanted: $status.wanted, found: $status.found, marker: $status.mark, stuck: $status.isMarkStuck, in $status.persistence → $action',
  ({ status, action }) => {
    expect(nextAction(status)).toBe(action)
  },
)

it('without a keychain, no action changes the marker while the settings can’t be written', () => {
  for (const { status } of rowsOf(IN_MEMORY, 'memory', true)) expect(nextAction(status)).not.toMatch(/mark/i)
})

it('a session stays in memory only if its marker would make the next start revoke it', () => {
  const held = ROWS.filter(({ status }) => mustHoldBack(status))
  expect(held).toEqual(TABLES[2].filter(({ status }) => status.mark === 'signedOut'))
})

/** The decision after reading the entry, by marker; last, if the user has signed in or out in this run. */
const DECISIONS = `
  session         resume          resume          resume          revoke              revoke
  revocations     signedOut       signedOut       signedOut       signedOut           signedOut
  missing         signedOut       missing         missing         signedOut           signedOut
  damaged         keep            keep            keep            keep                keep
  unknownVersion  unknownVersion  unknownVersion  unknownVersion  unknownVersion      unknownVersion
  locked          keep            locked          locked          signedOutReadAgain  signedOutReadAgain
  unavailable     keep            unavailable     unavailable     signedOutReadAgain  signedOutReadAgain
`

describe('the result of reading the entry', () => {
  const rows = DECISIONS.trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/) as [ReadOutcome, ...ReadDecision[]])
    .flatMap(([read, ...decisions]) =>
      MARKS.map((mark, index) => ({ read, mark, decision: decisions[index], decided: decisions[MARKS.length] })),
    )

  it.each(rows)('$read, marked $mark: $decision', ({ read, mark, decision, decided }) => {
    expect(decisionAfter(read, mark, 'undecided')).toBe(decision)
    // With tokens to revoke, an entry that can't be read is read again.
    const isUnreadable = (read === 'locked' || read === 'unavailable') && mark === 'none'
    expect(decisionAfter(read, mark, 'undecidedRevocations')).toBe(isUnreadable ? read : decision)
    for (const wanted of ['nothing', 'revocations', 'session', 'sessionAndRevocations'] as const) {
      expect([wanted, decisionAfter(read, mark, wanted)]).toEqual([wanted, decided])
    }
  })
})
