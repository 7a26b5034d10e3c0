import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { startKeyring } from '../keyring/keyring.ts'
import { ROOT } from '../support/app.ts'
import { environmentOf, processes } from '../support/processes.ts'
import { linuxOnly } from '../support/systems.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LatchkeyWindow } from '../support/window.ts'

const LEFT_OUT = /^(node_modules|coverage|dist|\.cache|\.git|out\/(?!demo|built))/

it('an edit keeps what was typed in the window, and a restart of the app keeps the session', {
  ...linuxOnly('elsewhere, the session would stay in the keychain of the user who runs the tests'),
  timeout: 400_000,
}, async () => {
  const folder = temporaryFolder()
  cpSync(ROOT, folder, { recursive: true, filter: (from) => !LEFT_OUT.test(path.relative(ROOT, from)) })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const edit = (file: string, before: string, after: string) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    expect(text).toContain(before)
    // The file is replaced as a whole, because the dev server could build a half-written file.
    writeFileSync(path.join(folder, `${file}.new`), text.replace(before, after))
    renameSync(path.join(folder, `${file}.new`), path.join(folder, file))
  }
  const keyring = await startKeyring()
  onTestFinished(keyring.stop)
  const dev = spawn(process.execPath, ['scripts/start.mjs', '--dev', '--remote-debugging-port=0'], {
    cwd: folder,
    env: {
      ...process.env,
      ...keyring.env,
      HOME: folder,
      XDG_CONFIG_HOME: `${folder}/config`,
      ELECTRON_OVERRIDE_DIST_PATH: path.dirname(process.env['LATCHKEY_TEST_ELECTRON'] ?? ''),
    },
  })
  const ended = once(dev, 'exit')
  onTestFinished(async () => void (dev.kill() && (await ended)))
  let said = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  const says = async (pattern: RegExp) => {
    await expect.poll(() => said, { timeout: 120_000 }).toMatch(pattern)
    return pattern.exec(said)?.[1] ?? ''
  }
  const windowOf = async (times: number): Promise<Page> => {
    const app = await chromium.connectOverCDP(await says(new RegExp(`(?:DevTools listening on (\\S+)[^]*){${times}}`)))
    const [context] = app.contexts()
    context?.setDefaultTimeout(60_000)
    return context?.pages()[0] ?? (await context?.waitForEvent('page')) ?? expect.unreachable()
  }

  const page = await windowOf(1)
  const window = new LatchkeyWindow(page)
  await window.username.fill(ANA.username)
  edit('text/en/index.ts', "app: 'Latchkey'", "app: 'Latchkey, edited'")
  await window.says('Latchkey, edited')
  edit('renderer/views/grant-form.tsx', '<form ', '<form title="edited" ')
  await page.getByTitle('edited').waitFor()
  edit('renderer/style/buttons.css', 'button', 'form { outline: 3px solid } button')
  await expect.poll(() => page.getByTitle('edited').evaluate((form) => getComputedStyle(form).outlineWidth)).toBe('3px')
  await expect(window.username.inputValue()).resolves.toBe(ANA.username)
  await window.signIn(ANA)

  edit(
    'main/app/run-app.ts',
    '  registerLifecycle(',
    "  console.log(new Error('restarted').stack)\n  registerLifecycle(",
  )
  const restarted = new LatchkeyWindow(await windowOf(2))
  await restarted.signedIn.waitFor()
  await says(/restarted\n\s+at .*\/main\/app\/run-app\.ts:\d+/)

  const ours = () => processes().filter((each) => environmentOf(each)?.includes(folder))
  expect(ours().length).toBeGreaterThan(3)
  dev.kill('SIGINT')
  await expect(ended).resolves.toEqual([0, null])
  await expect.poll(ours).toEqual([])
})
