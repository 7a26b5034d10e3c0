/**
 * If an environment variable names an unusable folder, the app either ignores the variable, or prints a message and
 * exits with an error code.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { NO_DISPLAY, pressInDialog, untilDialog } from '../support/native-dialog.ts'
import { own } from '../support/ordinary-user.ts'
import { openTestDesktop, type TestDesktop } from '../support/test-desktop.ts'

function startWith(desk: TestDesktop, env: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const ending = new AbortController()
  onTestFinished(() => ending.abort())
  let printed = ''
  let started = 0
  const onStarted = (pid: number) => {
    started = pid
  }
  const onPrinted = (text: string) => {
    printed += text
  }
  const options = { env, args, isDefaultDataFolder: true }
  const ended = desk.startUndriven(options, { onStarted, onPrinted, signal: ending.signal })
  ended.catch(() => {})
  return { ended, printed: () => printed, signal: () => process.kill(started, 'SIGTERM') }
}

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it.each<[string, (home: string) => Record<string, string>, string]>([
    [
      'a literal ~',
      () => ({ XDG_CONFIG_HOME: '~/.config', XDG_CACHE_HOME: '~', XDG_DATA_HOME: '~' }),
      '.config/Latchkey',
    ],
    ['a file as TMPDIR', (home) => ({ TMPDIR: path.join(home, 'file') }), 'config/Latchkey'],
  ])('with %s, the app starts, and its settings are where they belong', async (_, variables, folder) => {
    const desk = await openTestDesktop()
    writeFileSync(path.join(desk.home, 'file'), '')
    const app = await desk.start({ env: variables(desk.home), isDefaultDataFolder: true })
    await (await app.open()).username.waitFor()
    expect(readdirSync(path.join(desk.home, folder))).toContain('SingletonLock')
  })

  it.each<[string, (home: string) => Record<string, string>, string]>([
    ['a file as HOME', (home) => ({ HOME: path.join(home, 'file'), XDG_CONFIG_HOME: '' }), 'ENOTDIR'],
    [
      'a file in the data folder’s place',
      (home) => {
        writeFileSync(path.join(home, 'config/Latchkey'), '')
        own(path.join(home, 'config/Latchkey'))
        return {}
      },
      'EEXIST|ENOTDIR',
    ],
    ['HOME=/', () => ({ HOME: '/', XDG_CONFIG_HOME: '' }), 'belongs to another user'],
    ['a path that is too long', () => ({ XDG_CONFIG_HOME: '/x'.repeat(3_000) }), 'ENAMETOOLONG'],
  ])('%s ends the start with a message and a failing exit code', async (_, variables, cause) => {
    const desk = await openTestDesktop()
    const file = path.join(desk.home, 'file')
    writeFileSync(file, '')
    own(file)
    const sentence = new RegExp(`Latchkey doesn't start: .*${cause}`)
    const { ended, printed } = startWith(desk, { ...variables(desk.home), ...NO_DISPLAY })
    await expect(ended).resolves.toBe(1)
    expect(printed()).toMatch(sentence)

    // A user who starts the app from an icon sees a dialog.
    const clicked = startWith(desk, variables(desk.home))
    await pressInDialog('Return')
    await expect(clicked.ended).resolves.toBe(1)
    expect(clicked.printed()).toMatch(sentence)

    // A signal ends the dialog.
    const signalled = startWith(desk, variables(desk.home))
    await untilDialog()
    signalled.signal()
    await expect(signalled.ended).resolves.toBe(1)
  })

  it('the doctor works with XDG_CONFIG_HOME=~', async () => {
    const desk = await openTestDesktop()
    const { ended, printed } = startWith(desk, { XDG_CONFIG_HOME: '~' }, ['--doctor'])
    await expect(ended).resolves.toBeOneOf([0, 1])
    expect(printed()).not.toContain("doesn't start")
  })
})
