import { expect, test } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from '../diagnostics/line.ts'
import { Diagnostics } from './diagnostics.ts'

const LINES: readonly Line[] = [
  { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3' },
  { check: 'keychain', state: 'failed', sentence: 'It is gone.', advice: 'Look for it.', details: ['nowhere'] },
]

test('each result is shown as soon as it is known; the saved diagnostics can be shown until the window closes', async () => {
  const seen: string[] = []
  const shown: string[] = []
  let forgotten = 0
  const diagnostics: Diagnostics = new Diagnostics({
    check: async (onBegin) => {
      onBegin(LINES.length)
      const lines = async function* () {
        yield* LINES
      }
      return { lines: lines(), texts: enDiagnostics('linux') }
    },
    forgetTried: () => {
      forgotten++
    },
    save: async (onSaved) => {
      onSaved('/home/ana/Documents/diagnostics.txt')
      return OK
    },
    showInFolder: (file) => shown.push(file),
    changed: () => {
      const { check } = diagnostics.view()
      seen.push(`${check?.running} ${check?.lines.map(({ name }) => name).join()}`)
    },
  })
  const { checkComputer, saveDiagnostics, showDiagnostics } = diagnostics.handlers

  expect(await checkComputer({ tried: true })).toEqual(OK)
  expect(seen).toEqual(['true ', 'true versions', 'true versions,keyring', 'false versions,keyring'])
  const { check: _, ...said } = LINES[1] ?? {}
  expect(diagnostics.view().check).toMatchObject({ total: 2, lines: [{}, { name: 'keyring', ...said }] })
  // The address that the user tried to save is checked only if the call says so.
  expect(forgotten).toBe(0)
  await checkComputer({ tried: false })
  expect(forgotten).toBe(1)

  await showDiagnostics()
  expect(await saveDiagnostics()).toEqual(OK)
  expect(diagnostics.view().savedDiagnostics).toBe('Documents')
  await showDiagnostics()
  diagnostics.clear()
  expect(diagnostics.view()).toEqual({})
  await showDiagnostics()
  expect(shown).toEqual(['/home/ana/Documents/diagnostics.txt'])
})
