import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { readSelection } from './x11-selection.ts'

const read = (selection: 'CLIPBOARD' | 'PRIMARY', signal = AbortSignal.timeout(30_000)) =>
  readSelection(selection, process.env, signal)

const startXclip = (selection: string) =>
  spawn('xclip', ['-in', '-quiet', '-selection', selection.toLowerCase()], { stdio: ['pipe', 'ignore', 'pipe'] })

// One client stays connected: without clients, the X server resets itself and drops those that connect.
beforeAll(async () => {
  if (process.platform === 'win32') return
  const keeper = startXclip('SECONDARY')
  keeper.stdin.end('kept')
  await once(keeper.stderr, 'data')
  return () => void keeper.kill('SIGKILL')
})

async function offer(selection: 'CLIPBOARD' | 'PRIMARY', text: string) {
  const program = startXclip(selection)
  const ended = once(program, 'exit')
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await ended
  })
  program.stdin.end(text)
  // xclip prints a line when it is about to own the selection.
  await once(program.stderr, 'data')
  return program
}

describe('a selection', posixOnly('Windows has no X11'), () => {
  test.each([
    ['CLIPBOARD', 'eyJ.first'],
    ['PRIMARY', 'é 😀'],
  ] as const)('%s has the text of the program that owns it, if one does', async (selection, text) => {
    await expect(read(selection)).resolves.toBe('')
    await offer(selection, text)
    await expect.poll(() => read(selection)).toBe(text)
  })

  test('if the program that owns it hangs, reading it can be cancelled, and other selections can be read', async () => {
    const program = await offer('CLIPBOARD', 'eyJ.first')
    await expect.poll(() => read('CLIPBOARD')).toBe('eyJ.first')
    program.kill('SIGSTOP')
    const over = new AbortController()
    const reading = read('CLIPBOARD', over.signal)
    await expect(read('PRIMARY')).resolves.toBe('')
    over.abort()
    await expect(reading).rejects.toThrow('no answer in time')
    program.kill('SIGCONT')
    await expect(read('CLIPBOARD')).resolves.toBe('eyJ.first')
  })
})

test('without an X server or a display, reading fails', async () => {
  const signal = AbortSignal.timeout(30_000)
  await expect(readSelection('PRIMARY', {}, signal)).rejects.toThrow('no X display')
  await expect(readSelection('PRIMARY', { DISPLAY: ':65000' }, signal)).rejects.toThrow('ENOENT')
})
