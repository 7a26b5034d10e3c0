import { expect, test } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from '../diagnostics/line.ts'
import { Diagnostics } from './diagnostics.ts'

const LINES: readonly Line[] = [
  { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3' },
  { check: 'keychain', state: 'failed', sentence: 'It is gone.', advice: 'Look for it.', details: ['nowhere'] },
]

interface Conditions {
  readonly lines?: () => AsyncIterable<Line>
  /** Where the user saves the diagnostics. */
  readonly file?: string
}

function createRig({ lines = all, file = '/home/ana/Documents/diagnostics.txt' }: Conditions = {}) {
  const seen: string[] = []
  const shown: string[] = []
  let begun = 0
  let forgotten = 0
  const diagnostics: Diagnostics = new Diagnostics({
    check: async (onBegin) => {
      begun++
      onBegin(LINES.length)
      return { lines: lines(), texts: enDiagnostics('linux') }
    },
    forgetTried: () => {
      forgotten++
    },
    save: async (onSaved) => {
      onSaved(file)
      return OK
    },
    showInFolder: (file) => shown.push(file),
    changed: () => {
      const { check } = diagnostics.view()
      seen.push(`${check?.running} ${check?.lines.map(({ name }) => name).join()}`)
    },
  })
  const check = (tried = false) => diagnostics.handlers.checkComputer({ tried })
  return { diagnostics, check, seen, shown, begun: () => begun, forgotten: () => forgotten }
}
async function* all() {
  yield* LINES
}

test('while the checks run, each result is shown as soon as it is known', async () => {
  const { diagnostics, check, seen } = createRig()
  expect(diagnostics.view()).toEqual({})
  expect(await check()).toEqual(OK)
  expect(seen).toEqual(['true ', 'true versions', 'true versions,keyring', 'false versions,keyring'])
  expect(diagnostics.view().check?.total).toBe(2)
  expect(diagnostics.view().check?.lines[1]).toEqual({
    name: 'keyring',
    state: 'failed',
    sentence: 'It is gone.',
    advice: 'Look for it.',
    details: ['nowhere'],
  })
})

test('the view names the folder with the saved diagnostics, and the user can open it, until the window closes', async () => {
  const { diagnostics, seen, shown } = createRig()
  await diagnostics.handlers.showDiagnostics()
  expect(await diagnostics.handlers.saveDiagnostics()).toEqual(OK)
  expect(diagnostics.view()).toEqual({ savedDiagnostics: 'Documents' })
  expect(await diagnostics.handlers.showDiagnostics()).toEqual(OK)
  expect(seen).toHaveLength(1)
  diagnostics.clear()
  expect(diagnostics.view()).toEqual({})
  expect(seen).toHaveLength(2)
  await diagnostics.handlers.showDiagnostics()
  expect(shown).toEqual(['/home/ana/Documents/diagnostics.txt'])
})

test('when the checks start, the address that the user tried to save is forgotten, unless the call asks to check it', async () => {
  const { check, forgotten } = createRig()
  await check(true)
  expect(forgotten()).toBe(0)
  await check(false)
  expect(forgotten()).toBe(1)
})
