import { expect, test } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from '../diagnostics/line.ts'
import { Diagnostics } from './diagnostics.ts'

test('each result is shown as soon as it is known; the saved diagnostics can be shown until the window closes', async () => {
  const seen: string[] = []
  const shown: string[] = []
  let forgotten = 0
  const diagnostics: Diagnostics = new Diagnostics({
    check: async (onBegin) => {
      onBegin(2)
      const lines = async function* (): AsyncIterable<Line> {
        yield { check: 'versions', state: 'ok', sentence: 'Latchkey 1.2.3' }
        yield { check: 'keychain', state: 'failed', sentence: 'It is gone.' }
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
      seen.push(`${check?.running} ${check?.lines.map(({ name }) => name).join()} of ${check?.total}`)
    },
  })
  const { checkComputer, saveDiagnostics, showDiagnostics } = diagnostics.handlers

  await checkComputer({ tried: true })
  expect(seen).toEqual([
    'true  of 0',
    'true versions of 2',
    'true versions,keyring of 2',
    'false versions,keyring of 2',
  ])
  // The address that the user tried to save is checked only if the call says so.
  expect(forgotten).toBe(0)
  await checkComputer({ tried: false })
  expect(forgotten).toBe(1)

  await saveDiagnostics()
  expect(diagnostics.view().savedDiagnostics).toBe('Documents')
  await showDiagnostics()
  diagnostics.clear()
  await showDiagnostics()
  expect([shown, diagnostics.view()]).toEqual([['/home/ana/Documents/diagnostics.txt'], {}])
})
