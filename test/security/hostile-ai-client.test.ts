/** A hostile AI client runs commands with the user's rights. While tools have access, it can get tokens as they do. */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { LATCHKEY, PATH, type Run, requireProgram, run } from '../integration/cli/programs.ts'
import { evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { openManagedDesktop } from '../support/managed-desktop.ts'
import { asOrdinaryUser, ordinaryFolder } from '../support/ordinary-user.ts'
import { environmentOf, processTree } from '../support/processes.ts'
import { POLICY_FILE, rootOnly } from '../support/systems.ts'
import type { TestDesktop } from '../support/test-desktop.ts'

function client({ dataFolder }: TestDesktop): (program: string, ...args: string[]) => Promise<Run> {
  const home = ordinaryFolder('client')
  onTestFinished(() => home.remove())
  const latchkey = path.join(home.path, 'latchkey')
  copyFileSync(LATCHKEY, latchkey)
  const variables = { PATH, HOME: home.path, LATCHKEY_SOCKET: path.join(dataFolder, 'agent.sock') }
  const env = asOrdinaryUser(requireProgram('env'), home.path)
  return (program, ...args) => {
    const words = program === 'latchkey' ? ['sh', latchkey] : [program]
    return run([env, ...words, ...args], { env: variables, input: 'an-old-token\n', cwd: home.path })
  }
}

test(
  'SECURITY: if the administrator has turned off access for tools, no command, file or process has a token',
  rootOnly(POLICY_FILE),
  async () => {
    const { desk, write } = await openManagedDesktop({ agent: true })
    const app = await desk.start()
    await (await app.open()).signIn(ANA)
    const execute = client(desk)
    const socket = path.join(desk.dataFolder, 'agent.sock')
    await expect.poll(async () => (await execute('latchkey', 'token')).code).toBe(0)

    write({ agent: false })
    await expect.poll(async () => (await execute('latchkey', 'token')).code).toBe(2)
    const outputs: string[] = []
    for (const [program = '', ...args] of [
      ...['token', 'header', 'rejected', 'exec printenv', 'status', 'ssh host'].map((each) => `latchkey ${each}`),
      ...['token', 'events', 'status', 'remote?host=a -XPOST'].map(
        (each) => `curl -s --max-time 60 --unix-socket ${socket} http://localhost/v1/${each}`,
      ),
    ].map((words) => words.split(' '))) {
      const { stdout, stderr } = await execute(program, ...args)
      outputs.push(stdout + stderr)
    }
    for (const each of outputs) expect(each).toContain('Turned off by your administrator')
    const seen = processTree(app.pid).map((each) =>
      evidence('a process', each.commandLine + (environmentOf(each) ?? '')),
    )
    const everything = [
      ...outputs.map((each) => evidence('a command', each)),
      ...seen,
      ...filesUnder(desk.home),
      ...filesUnder(desk.dataFolder),
    ]
    expect(findLeaks(tokensAsSecrets(desk.service.issuedSecrets()), everything)).toEqual([])
  },
)
