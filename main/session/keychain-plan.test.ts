import { describe, expect, it } from 'vitest'
import {
  decisionAfter,
  type EntryStatus,
  type KeychainAction,
  type KnownContent,
  mustHoldBack,
  nextAction,
  type ReadDecision,
  type ReadOutcome,
  type WantedContent,
} from './keychain-plan.ts'

const WANTED = [
  'undecided',
  'undecidedRevocations',
  'nothing',
  'revocations',
  'session',
  'sessionAndRevocations',
] as const
const FOUND = [
  'unread',
  'unreadSuperseded',
  'unknownVersion',
  'missing',
  'deleted',
  'current',
  'outdated',
  'superseded',
] as const
const MARKS = ['none', 'stored', 'revoking', 'signedOut'] as const
const PERSISTENCE = ['keychain', 'memory'] as const

/** Doesn't compile if a table lacks a member of its union. */
type Complete<All extends string, Known extends string> = [Exclude<All, Known>] extends [never] ? true : never
const complete: readonly true[] = [
  true satisfies Complete<WantedContent, (typeof WANTED)[number]>,
  true satisfies Complete<KnownContent, (typeof FOUND)[number]>,
  true satisfies Complete<EntryStatus['mark'], (typeof MARKS)[number]>,
  true satisfies Complete<EntryStatus['persistence'], (typeof PERSISTENCE)[number]>,
]

/** While it is undecided what to store, the actions are the same with and without a keychain. */
const UNDECIDED = `
  undecided              unread                                                      rest           read           read           read
  undecided              all but unread                                              rest           rest           rest           rest

  undecidedRevocations   unread                                                      read           read           read           read
  undecidedRevocations   all but unread                                              rest           rest           rest           rest
`

/** The action with a keychain, for each wanted content, found content and marker. */
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

/**
 * The action without a keychain. No action adds a marker. If an earlier run with a keychain left a marker for an
 * unwanted session, the marker becomes `signedOut`.
 */
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

  session                unread                                                      read           read           read           read
  session                unreadSuperseded                                            read           markSignedOut  markSignedOut  read
  session                unknownVersion current                                      rest           rest           rest           rest
  session                missing deleted outdated                                    write          write          write          write
  session                superseded                                                  write          markSignedOut  markSignedOut  write

  sessionAndRevocations  unread                                                      read           read           read           read
  sessionAndRevocations  unreadSuperseded                                            read           markSignedOut  markSignedOut  read
  sessionAndRevocations  unknownVersion current                                      rest           rest           rest           rest
  sessionAndRevocations  missing deleted outdated                                    write          write          write          write
  sessionAndRevocations  superseded                                                  write          markSignedOut  markSignedOut  write
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

  revocations            unread unreadSuperseded                                     read           read           read           read
  revocations            unknownVersion current                                      rest           rest           rest           rest
  revocations            missing deleted outdated superseded                         write          write          write          write

  session                unread unreadSuperseded                                     read           read           read           read
  session                unknownVersion current                                      rest           rest           rest           rest
  session                missing deleted outdated superseded                         write          write          write          write

  sessionAndRevocations  unread unreadSuperseded                                     read           read           read           read
  sessionAndRevocations  unknownVersion current                                      rest           rest           rest           rest
  sessionAndRevocations  missing deleted outdated superseded                         write          write          write          write
`

const foundIn = (text: string): readonly string[] => (text === 'all but unread' ? FOUND.slice(1) : text.split(' '))

/** The rows of a table: one for each found content and marker. */
const rowsOf = (table: string, persistence: EntryStatus['persistence'], isMarkStuck = false) =>
  table
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
    .filter(([first, ...rest]) => first !== 'wanted' && rest.length > 0)
    .flatMap(([wanted, found = '', ...actions]) =>
      foundIn(found).flatMap((each) =>
        MARKS.map((mark, index) => ({
          status: { wanted, found: each, mark, isMarkStuck, persistence } as EntryStatus,
          action: actions[index] as KeychainAction,
        })),
      ),
    )
const ROWS = [...rowsOf(TABLE, 'keychain'), ...rowsOf(IN_MEMORY, 'memory')]
const STUCK_ROWS = rowsOf(STUCK, 'keychain', true)

it('each table has a row for every combination', () => {
  expect(complete).toHaveLength(4)
  const names = ROWS.map(({ status }) => Object.values(status).join())
  expect(new Set(names).size).toBe(names.length)
  expect(names).toHaveLength(WANTED.length * FOUND.length * MARKS.length * PERSISTENCE.length)
  expect(STUCK_ROWS).toHaveLength(WANTED.length * FOUND.length * MARKS.length)
})

it.each(STUCK_ROWS)(
  'wanted: $status.wanted, found: $status.found, unchangeable marker: $status.mark → $action',
  (row) => {
    expect(nextAction(row.status)).toBe(row.action)
  },
)

it('without a keychain, no action changes the marker while the settings can’t be written', () => {
  for (const { status } of rowsOf(IN_MEMORY, 'memory', true)) expect(nextAction(status)).not.toMatch(/mark/i)
})

it('a session stays in memory only if its marker would make the next start revoke it', () => {
  const held = [...ROWS, ...STUCK_ROWS].filter(({ status }) => mustHoldBack(status))
  expect(held).toEqual(STUCK_ROWS.filter(({ status }) => status.mark === 'signedOut'))
})

it.each(ROWS)(
  'wanted: $status.wanted, found: $status.found, marker: $status.mark, in $status.persistence → $action',
  (row) => {
    expect(nextAction(row.status)).toBe(row.action)
  },
)

describe('the sequence of actions', () => {
  const after = (status: EntryStatus, action: KeychainAction): EntryStatus => {
    switch (action) {
      case 'markStored':
        return { ...status, mark: 'stored' }
      case 'markRevoking':
        return { ...status, mark: 'revoking' }
      case 'markSignedOut':
        return { ...status, mark: 'signedOut' }
      case 'unmark':
        return { ...status, mark: 'none' }
      case 'write':
        return { ...status, found: 'current' }
      case 'withdraw':
        return { ...status, found: status.wanted === 'session' ? 'deleted' : 'outdated' }
      case 'delete':
        return { ...status, found: 'deleted' }
      case 'read':
      case 'rest':
        return status
    }
  }
  const path = (status: EntryStatus): readonly KeychainAction[] => {
    const actions: KeychainAction[] = []
    let now = status
    for (let action = nextAction(now); action !== 'rest' && action !== 'read'; action = nextAction(now)) {
      actions.push(action)
      now = after(now, action)
      if (actions.length > 10) throw new Error(`never rests: ${actions.join()}`)
    }
    return actions
  }

  it('has at most four actions, and never marks an unwanted session `stored` or `revoking`', () => {
    for (const { status } of ROWS) {
      const actions = path(status)
      expect(actions.length).toBeLessThanOrEqual(4)
      if (status.persistence === 'memory' || status.found !== 'superseded') continue
      const stored = actions.findIndex((each) => each === 'markStored' || each === 'markRevoking')
      const gone = actions.findIndex((each) => each === 'withdraw' || each === 'delete' || each === 'write')
      if (stored !== -1) expect(gone).toBeLessThan(stored)
    }
  })

  it.each<readonly [string, readonly KeychainAction[], Partial<EntryStatus>]>([
    ['a first sign-in', ['markStored', 'write'], { wanted: 'session', found: 'missing' }],
    ['a refreshed token', ['write'], { wanted: 'session', found: 'outdated', mark: 'stored' }],
    ['a sign-out', ['markSignedOut', 'write'], { wanted: 'revocations', found: 'superseded', mark: 'stored' }],
    ['a revoked token', ['delete', 'unmark'], { wanted: 'nothing', found: 'outdated', mark: 'signedOut' }],
    [
      'a sign-in that replaces a session',
      ['markSignedOut', 'withdraw', 'markRevoking', 'write'],
      { wanted: 'sessionAndRevocations', found: 'superseded', mark: 'stored' },
    ],
  ])('for %s is %j', (_, actions, status) => {
    expect(
      path({
        wanted: 'nothing',
        found: 'missing',
        mark: 'none',
        isMarkStuck: false,
        persistence: 'keychain',
        ...status,
      }),
    ).toEqual(actions)
  })
})

/**
 * The decision after reading the entry, for each marker. `DECIDED` has the decisions if the user has already signed in
 * or out in this run.
 */
const DECISIONS = `
  read            none         stored   revoking   signedOut

  session         resume       resume   resume     revoke
  revocations     signedOut    signedOut signedOut signedOut
  missing         signedOut    missing  missing    signedOut
  damaged         keep         keep     keep       keep
  unknownVersion  unknownVersion unknownVersion unknownVersion unknownVersion
  locked          keep         locked   locked     signedOutReadAgain
  unavailable     keep         unavailable unavailable signedOutReadAgain
`
const DECIDED: Record<ReadOutcome, ReadDecision> = {
  session: 'revoke',
  revocations: 'signedOut',
  missing: 'signedOut',
  damaged: 'keep',
  unknownVersion: 'unknownVersion',
  locked: 'signedOutReadAgain',
  unavailable: 'signedOutReadAgain',
}

describe('the result of reading the entry', () => {
  const rows = DECISIONS.split('\n')
    .slice(3)
    .map((line) => line.trim().split(/ +/))
    .filter(([first]) => first !== '')
    .flatMap(([read, ...decisions]) =>
      decisions.map((decision, index) => ({ read: read as ReadOutcome, mark: MARKS[index] ?? 'none', decision })),
    )
  it('every result has a row for every marker', () => {
    expect(rows).toHaveLength(Object.keys(DECIDED).length * MARKS.length)
    expect(new Set(rows.map(({ read }) => read))).toEqual(new Set(Object.keys(DECIDED)))
  })

  it.each(rows)('found: $read, marker: $mark → $decision', ({ read, mark, decision }) => {
    expect(decisionAfter(read, mark, 'undecided')).toBe(decision)
  })

  it.each(rows)(
    'found: $read, marker: $mark: with tokens to revoke, a locked or unavailable keychain is read again',
    ({ read, mark, decision }) => {
      const isUnreadable = (read === 'locked' || read === 'unavailable') && mark === 'none'
      expect(decisionAfter(read, mark, 'undecidedRevocations')).toBe(isUnreadable ? read : decision)
    },
  )

  it.each(rows)('found: $read, marker: $mark: after a sign-in or sign-out, no session is resumed', ({ read, mark }) => {
    for (const wanted of ['nothing', 'revocations', 'session', 'sessionAndRevocations'] as const) {
      expect([wanted, decisionAfter(read, mark, wanted)]).toEqual([wanted, DECIDED[read]])
    }
  })
})
