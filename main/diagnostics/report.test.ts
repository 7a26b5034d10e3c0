import { expect, test } from 'vitest'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from './line.ts'
import { renderDiagnostics, renderReport, sessionInWords } from './report.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const ok: Line = { check: 'keychain', state: 'ok', sentence: 'Works.', details: ['first', 'second'] }
const warning: Line = { check: 'clock', state: 'warning', sentence: 'Is behind.', advice: 'Set it.' }
const failed: Line = { check: 'certificate', state: 'failed', sentence: 'Has ended.' }

test('a report is plain text in columns', () => {
  expect(renderReport([ok, warning, failed], AT, enDiagnostics('linux'))).toBe(
    [
      'Latchkey doctor, 2026-03-01T12:00:00.000Z',
      '',
      'ok       keyring            Works.',
      '                              first',
      '                              second',
      'warning  clock              Is behind.',
      '                            → Set it.',
      'FAILED   certificate        Has ended.',
      '',
      '1 check failed, 1 warning.',
      '',
    ].join('\n'),
  )
  expect(renderReport([ok], AT, enDiagnostics('linux'))).toMatch(/\n\nNo problems found\.\n$/)
})

test('the saved diagnostics have the report and the end of the log, but no usernames', () => {
  const log = ['2026-03-01T12:00:00.000Z info  agent.started path=/home/ana/agent.sock']
  const text = renderDiagnostics(
    { sessions: [], lines: [ok], log, at: AT },
    { home: '/home/ana', name: 'ana' },
    enDiagnostics('linux'),
  )
  expect(text).toContain(
    'The last lines of the log:\n\n2026-03-01T12:00:00.000Z info  agent.started path=~/agent.sock\n',
  )
  expect(
    renderDiagnostics({ sessions: [], lines: [], log: [], at: AT }, { home: '/', name: '' }, enDiagnostics('linux')),
  ).toContain('The log is empty.')
})

test.each([
  [[ok], ['No problems found.', 'none', 'nothing']],
  [
    [ok, { ...ok, check: 'agent', isOff: true, sentence: 'Is off.' }],
    ['No problems found.', 'agent: Is off.', 'nothing'],
  ],
  [
    [warning, ok],
    ['1 warning.', 'none, but a warning: clock: Is behind.', 'Set it.'],
  ],
  [
    [warning, { ...failed, advice: 'Renew it.' }],
    ['1 check failed, 1 warning.', 'certificate: Has ended.', 'Renew it.'],
  ],
  [
    [
      { ...failed, check: 'tray' },
      { ...failed, advice: 'Renew it.' },
    ],
    ['2 checks failed.', 'certificate: Has ended.', 'Renew it.'],
  ],
] as const)(
  'the saved diagnostics begin with five lines that the user can read out: %#',
  (lines, [result, problem, advice]) => {
    const details = ['Electron 45', 'System Debian (linux)']
    const versions: Line = { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3', details }
    const ended = { kind: 'expired', failure: { code: 'sessionEnded' } } as const
    const sessions = [sessionInWords('default', { kind: 'active' }), sessionInWords('trial', ended)]
    const found = { sessions, log: [], at: AT }
    const person = { home: '/', name: '' }
    const text = renderDiagnostics({ ...found, lines: [versions, ...lines] }, person, enDiagnostics('linux'))
    expect(text.split('\n').slice(0, 7)).toEqual([
      'To read out to support:',
      '  version        Latchkey 1.2.3, System Debian (linux)',
      '  sessions       default: signed in, trial: expired (sessionEnded)',
      `  result         ${result}`,
      `  first problem  ${problem}`,
      `  what to do     ${advice}`,
      '',
    ])
  },
)
