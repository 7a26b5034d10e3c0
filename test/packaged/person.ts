import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startDemoService } from '../../demo/service.ts'
import { readSelection } from '../../main/surfaces/x11-selection.ts'
import { startKeyring } from '../keyring/keyring.ts'
import { run } from '../keyring/programs.ts'
import { windowsOnScreen, xdotool } from '../support/native-dialog.ts'
import { ordinaryFolder, ordinaryUser, own } from '../support/ordinary-user.ts'
import { processTree, typeOf } from '../support/processes.ts'
import type { Installed } from './installed.ts'

/** How long quitting may take. The app itself waits ten seconds for pending work. */
const TIMEOUT_MS = 20_000

/** The code of report-exits.py, because the ordinary user may have no right to read the file. */
const REPORT_EXITS = readFileSync(new URL('report-exits.py', import.meta.url), 'utf8')

export type Person = Awaited<ReturnType<typeof arrive>>

export async function arrive({ root, dataFolder }: Installed) {
  const user = ordinaryUser()
  const folder = ordinaryFolder('person')
  const inside = (name: string): string => {
    const made = path.join(folder.path, name)
    mkdirSync(made, { mode: 0o700 })
    own(made)
    return made
  }
  const keyring = await startKeyring({ ...user })
  const service = await startDemoService()
  const home = inside('home')
  const env: Record<string, string> = {
    HOME: home,
    XDG_RUNTIME_DIR: inside('run'),
    TMPDIR: inside('tmp'),
    DBUS_SESSION_BUS_ADDRESS: keyring.env.DBUS_SESSION_BUS_ADDRESS,
    DISPLAY: process.env['DISPLAY'] ?? '',
    ...(process.env['XAUTHORITY'] && { XAUTHORITY: process.env['XAUTHORITY'] }),
    PATH: `${root}/usr/bin:${process.env['PATH']}`,
    XDG_DATA_DIRS: [...(dataFolder === undefined ? [] : [dataFolder]), '/usr/local/share', '/usr/share'].join(':'),
    LANG: 'C.UTF-8',
    LANGUAGE: 'en',
  }
  const program = `${root}/opt/Latchkey/latchkey-desktop`
  const runAs = { env, ...user }
  const record = path.join(folder.path, 'said')
  closeSync(openSync(record, 'a'))
  const said = () => readFileSync(record, 'utf8')
  const reporters: number[] = []
  const start = (...command: readonly string[]) => {
    const output = openSync(record, 'a')
    const stdio = ['ignore' as const, output, output]
    const reporter = spawn('python3', ['-c', REPORT_EXITS, ...command], {
      ...user,
      env,
      cwd: home,
      detached: true,
      stdio,
    })
    reporter.unref()
    reporters.push(reporter.pid ?? 0)
    closeSync(output)
  }
  // Lists only the processes of this run, because another run in a chroot may also have installed the app.
  const running = () => reporters.flatMap(processTree).filter(({ commandLine }) => commandLine.startsWith(program))

  const apps = () => running().filter((each) => typeOf(each) === 'main')
  const gone = async () => {
    const deadline = performance.now() + TIMEOUT_MS
    // Looks twice, because one reading of /proc can miss a process whose parent ends meanwhile.
    for (let unseen = 0; unseen < 2; await sleep(50)) {
      const left = running()
      unseen = left.length === 0 ? unseen + 1 : 0
      if (performance.now() > deadline)
        throw new Error(`the app has not ended:\n${left.map(({ commandLine }) => commandLine)}`)
    }
  }
  const windows = () => windowsOnScreen('--name', '^Latchkey$')
  return {
    home,
    service,
    keyring,
    apps,
    gone,
    windows,
    /** The output of the programs that were started, with a line for each that has ended. */
    said,
    async clickEntry() {
      const before = said().length
      start('gtk-launch', 'latchkey-desktop')
      await expect.poll(() => said().slice(before)).toMatch(/^\[gtk-launch \d+ ended with exit code 0\]$/m)
    },
    run: (name: string, args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
      run(`${root}/${name}`, args, { ...runAs, env: { ...env, ...more } }),
    shell: (script: string) => run('sh', ['-ec', script], runAs),
    start: (name: string, args: readonly string[]) => start(`${root}/${name}`, ...args),
    async window() {
      await expect.poll(windows).toHaveLength(1)
      const [id = ''] = await windows()
      await xdotool('windowfocus', '--sync', id)
    },
    /** Types until the focused field has this text: a page that isn't ready ignores keys. A selection tells the text. */
    async fill(text: string) {
      const typed = async () => {
        await xdotool('key', 'ctrl+a', 'type', '--args', '1', text, 'key', 'ctrl+a')
        return readSelection('PRIMARY', env, AbortSignal.timeout(5_000))
      }
      await expect.poll(typed).toBe(text)
    },
    type: (text: string) => xdotool('type', '--delay', '20', text),
    press: (key: string) => xdotool('key', key),
    async leave() {
      for (const { pid } of apps()) process.kill(pid, 'SIGTERM')
      await gone()
      await service.stop()
      await keyring.stop()
      folder.remove()
    },
  }
}
