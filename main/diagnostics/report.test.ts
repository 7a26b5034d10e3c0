import { expect, test } from 'vitest'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from './line.ts'
import { renderDiagnostics, renderSummary, sessionInWords } from './report.ts'

const AT = Date.parse('2026-03-01T12:00:00Z')
const ok: Line = { check: 'keychain', state: 'ok', sentence: 'Works.', details: ['first'] }
const warning: Line = { check: 'clock', state: 'warning', sentence: 'Is behind.', advice: 'Set it.' }
const failed: Line = { check: 'certificate', state: 'failed', sentence: 'Has ended.' }

const texts = enDiagnostics('linux')

test('the saved diagnostics have the report and the end of the log, but no usernames', () => {
  const log = ['2026-03-01T12:00:00.000Z info  agent.started path=/home/ana/agent.sock']
  const found = { sessions: [], lines: [ok, warning, failed], log, at: AT }
  const text = renderDiagnostics(found, { home: '/home/ana', name: 'ana' }, texts)
  expect(text.split('\n').slice(6)).toEqual([
    'Latchkey doctor, 2026-03-01T12:00:00.000Z',
    '',
    'ok       keyring            Works.',
    '                              first',
    'warning  clock              Is behind.',
    '                            → Set it.',
    'FAILED   certificate        Has ended.',
    '',
    '1 check failed, 1 warning.',
    '',
    'The last lines of the log:',
    '',
    '2026-03-01T12:00:00.000Z info  agent.started path=~/agent.sock',
    '',
  ])
  expect(renderDiagnostics({ ...found, log: [] }, { home: '/', name: '' }, texts)).toContain('The log is empty.')
})

const off: Line = { ...ok, check: 'agent', isOff: true, sentence: 'Is off.' }
test.each([
  [[ok, off], 'No problems found.', 'agent: Is off.', 'nothing'],
  [[warning, ok], '1 warning.', 'none, but a warning: clock: Is behind.', 'Set it.'],
  [
    [warning, { ...failed, check: 'tray' }, { ...failed, advice: 'Renew it.' }],
    '2 checks failed, 1 warning.',
    'certificate: Has ended.',
    'Renew it.',
  ],
] as const)('a summary has five lines that the user can read out: %#', (lines, result, problem, advice) => {
  const details = ['Electron 45', 'System Debian (linux)']
  const versions: Line = { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3', details }
  const ended = { kind: 'expired', failure: { code: 'sessionEnded' } } as const
  const sessions = [sessionInWords('default', { kind: 'active' }), sessionInWords('trial', ended)]
  expect(renderSummary({ sessions, lines: [versions, ...lines] }, texts).split('\n')).toEqual([
    'To read out to support:',
    '  version        Latchkey 1.2.3, System Debian (linux)',
    '  sessions       default: signed in, trial: expired (sessionEnded)',
    `  result         ${result}`,
    `  first problem  ${problem}`,
    `  what to do     ${advice}`,
    '',
  ])
})
