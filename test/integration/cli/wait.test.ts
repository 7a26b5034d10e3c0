import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../agent/client.ts'
import { environmentOf, type Process, processes } from '../../support/processes.ts'
import { CALLER, type Latchkey, latchkeyIn, SHELLS } from './programs.ts'
import { TOKEN, ToolDesktop } from './tool-desktop.ts'

const SAYS_SO = 'latchkey: waiting for a token; open Latchkey and sign in\n'

describe.each(SHELLS)('in $name', (shell) => {
  let desktop: ToolDesktop
  let latchkey: Latchkey
  beforeEach(async () => {
    desktop = await ToolDesktop.start()
    latchkey = latchkeyIn(shell, desktop)
    desktop.session.signOut()
  })
  const isWaiting = () => until(() => desktop.waiting.length === 1)

  it('commands wait until the user signs in, and then go on', async () => {
    const answers = [
      latchkey(['token', '--wait']),
      latchkey(['header', '--wait=1d']),
      latchkey(['token', '--format', 'headers', '--min-validity=5', '--wait=30m']),
    ]
    await until(() => desktop.waiting.length === 2)
    expect(desktop.waiting.sort()).toEqual([`${CALLER} (latchkey header)`, `${CALLER} (latchkey token)`])
    // The first request of each command waits for a second, and the next one longer.
    const isNext = (each: Process) =>
      /\?.*wait=60/.test(each.commandLine) && environmentOf(each)?.includes(desktop.socket)
    await until(() => processes().filter(isNext).length === 3)
    desktop.session.hold(TOKEN)
    const header = `Authorization: Bearer ${TOKEN}\n`
    const stdouts = [`${TOKEN}\n`, header, `{"Authorization":"Bearer ${TOKEN}"}\n`]
    expect(await Promise.all(answers)).toMatchObject(stdouts.map((stdout) => ({ code: 0, stdout, stderr: SAYS_SO })))
    expect(desktop.session.refreshes).toBe(0)
  })

  it('`exec` waits for a token, even if Latchkey isn’t running at first and restarts meanwhile', async () => {
    const file = path.join(desktop.folder, 'ran')
    await desktop.stopAgent()
    const answer = latchkey(['exec', '--wait', '--', 'sh', '-c', `printf %s "$ACCESS_TOKEN" >'${file}'`])
    await new Promise((resolve) => setTimeout(resolve, 300))
    for (let start = 0; start < 2; start++) {
      await desktop.startAgent()
      await isWaiting()
      await desktop.stopAgent()
    }
    await desktop.startAgent()
    expect(existsSync(file)).toBe(false)
    desktop.session.hold(TOKEN)
    expect(await answer).toMatchObject({ code: 0, stdout: '', stderr: SAYS_SO })
    expect(readFileSync(file, 'utf8')).toBe(TOKEN)
  })

  it('`token --wait` accepts a new token even if its lifetime is too short, but `exec --wait` refuses it', async () => {
    desktop.session.end(40_000)
    const answer = latchkey(['token', '--wait'])
    await isWaiting()
    desktop.session.hold('another')
    expect(await answer).toMatchObject({ code: 0, stdout: 'another\n' })
    const tooLong = ['--wait', '--min-validity=600']
    const stderr = expect.stringContaining('valid for only')
    expect(await latchkey(['token', ...tooLong])).toMatchObject({ code: 0, stdout: 'another\n', stderr })
    expect(await latchkey(['exec', ...tooLong, 'echo', 'ran'])).toMatchObject({ code: 4, stdout: '' })
  })

  it('when the time of --wait is over, the command says why and for which connection it waited; `exec` runs nothing', async () => {
    const answer = await latchkey(['exec', '--wait=2', '--connection', 'staging', 'echo', 'ran'])
    const stderr = expect.stringMatching(/^.* waiting for a token of staging; .*\nlatchkey: .* not signed/)
    expect(answer).toMatchObject({ code: 125, stdout: '', stderr })
    await desktop.stopAgent()
    const nobody = { code: 2, stderr: expect.stringContaining("isn't running") }
    expect(await latchkey(['token', '--wait=1s'])).toMatchObject(nobody)
  })

  it('a command that waits ends if the agent is turned off, and doesn’t wait for a connection that doesn’t exist', async () => {
    const answer = latchkey(['token', '--wait'])
    await isWaiting()
    await desktop.turnOffAgent('user')
    const off = { code: 2, stdout: '', stderr: expect.stringMatching(/Turned off in Settings/) }
    expect(await answer).toMatchObject(off)
    const again = await latchkey(['token', '--wait'])
    expect(again).toMatchObject({ code: 2, stderr: expect.not.stringContaining('waiting') })
    await desktop.startAgent()
    const nowhere = await latchkey(['token', '--wait', '--connection', 'nowhere'])
    expect(nowhere).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('default, staging') })
  })

  it('an invalid time, or one longer than a week, is refused', async () => {
    const values = ['', '-1', '1.5', '08', '8d', '604801', '1w', 'm']
    const answers = await Promise.all(values.map((value) => latchkey(['token', `--wait=${value}`])))
    const refused = { code: 1, stderr: expect.stringContaining('--wait') }
    expect(answers).toMatchObject(values.map(() => refused))
  })
})
