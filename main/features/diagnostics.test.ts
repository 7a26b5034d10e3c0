import { expect, test, vi } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { enDiagnostics } from '../../text/en/diagnostics.ts'
import type { Line } from '../diagnostics/line.ts'
import { Diagnostics } from './diagnostics.ts'

test('one run shows each result as soon as it is known; the saved diagnostics can be shown until the window closes', async () => {
  const seen: unknown[] = []
  const [forgetTried, showInFolder] = [vi.fn(), vi.fn()]
  const diagnostics: Diagnostics = new Diagnostics({
    check: async (onBegin) => {
      onBegin(1)
      const lines = async function* (): AsyncIterable<Line> {
        yield { check: 'keychain', state: 'failed', sentence: 'It is gone.' }
      }
      return { lines: lines(), texts: enDiagnostics('linux') }
    },
    forgetTried,
    save: async (onSaved) => {
      onSaved('/home/ana/Documents/diagnostics.txt')
      return OK
    },
    showInFolder,
    changed: () => seen.push(diagnostics.view().check),
  })
  const { checkComputer, saveDiagnostics, showDiagnostics } = diagnostics.handlers

  await Promise.all([checkComputer({ tried: true }), checkComputer({ tried: true })])
  const lines = [{ name: 'keyring', state: 'failed', sentence: 'It is gone.' }]
  expect(seen.slice(1)).toEqual([
    { running: true, total: 1, lines },
    { running: false, total: 1, lines },
  ])
  // The address that the user tried to save is checked only if the call says so.
  expect(forgetTried).not.toHaveBeenCalled()
  await checkComputer({ tried: false })
  expect(forgetTried).toHaveBeenCalledOnce()

  await saveDiagnostics()
  expect(diagnostics.view().savedDiagnostics).toBe('Documents')
  await showDiagnostics()
  diagnostics.clear()
  await showDiagnostics()
  expect(showInFolder.mock.calls).toEqual([['/home/ana/Documents/diagnostics.txt']])
  expect(diagnostics.view()).toEqual({})
})
