import { readFileSync } from 'node:fs'
import { it } from 'vitest'
import type { Desktop } from './testing/desktop.ts'
import { play } from './testing/schedules.ts'

it('debug', async () => {
  const schedule = new Function(`return (${readFileSync('/tmp/eng/schedule', 'utf8')})`)()
  const violations = await play(schedule[0], (desktop: Desktop) => {
    let seen = 0,
      seenStore = 0,
      seenStates = 0
    const tick = (what: unknown) => {
      console.log('@', desktop.time.trueTime, JSON.stringify(what))
      for (const [n, s] of [
        ['service', desktop.service],
        ['sso', desktop.sso],
      ] as const) {
        const k = '__' + n
        const from = (desktop as any)[k] ?? 0
        for (const l of s.log.slice(from)) console.log('   ', n, l)
        ;(desktop as any)[k] = s.log.length
      }
      for (const l of desktop.store.log.slice(seenStore)) console.log('    store', l, desktop.store.mode)
      seenStore = desktop.store.log.length
      for (const st of desktop.states.slice(seenStates > desktop.states.length ? 0 : seenStates))
        console.log('    state', JSON.stringify(st))
      seenStates = desktop.states.length
      console.log(
        '    pending',
        desktop.service.pending
          .map((r) => r.operation + ' ' + r.sent + (r.isAbandoned() ? ' abandoned' : ''))
          .join('; '),
        'entries',
        [...desktop.store.entries.values()].join(' '),
        [...desktop.marker.marks.values()],
      )
    }
    return tick
  })
  console.log(violations)
})
it('timers', () => { for (const t of (globalThis as any).__timers) console.log(t.deadline, t.stack) })
