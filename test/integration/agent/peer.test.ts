/**
 * Problems that tools have with oidc-agent 4.2.6, the program most like Latchkey, and that they must never have with
 * Latchkey.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Limits } from '../../../main/agent/limits.ts'
import { until } from '../../agent/client.ts'
import { LATCHKEY, newFolder, PATH, requireProgram, run } from '../cli/programs.ts'
import { HOUR, SECOND } from '../faults/rig.ts'
import { ServedAgent, tokensIn } from './served-agent.ts'

let desk: ServedAgent
/** The token that the agent returns when a test starts. */
let first: string

const start = async (limits?: Partial<Limits>) => {
  desk = await ServedAgent.start(limits)
  first = JSON.parse((await desk.token()).body).token
}
beforeEach(() => start())
afterEach(() => desk.stop())

const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make))
/** Resolves to all answers, or to none if some are still missing. */
const answered = <T>(asked: Promise<T[]>): Promise<T[]> => Promise.race([asked, sleep(0, [])])
const hangs = () => desk.rig.service.inject('refresh', { kind: 'hang' }, { times: Number.POSITIVE_INFINITY })

describe('a service that hangs', () => {
  test('makes no tool with a valid token wait for another tool’s refresh', async () => {
    hangs()
    const waiting = times(1, () => desk.reject(first))
    await until(() => desk.refreshes === 1)
    expect(tokensIn(await times(100, () => desk.token(50 * 60)))).toEqual(new Set([first]))
    expect(await answered(waiting)).toEqual([])
    await desk.pass(30 * SECOND)
    expect(tokensIn(await answered(waiting))).toEqual(new Set(['unavailable']))
  })

  test('lets every tool get an answer with advice by the deadline', async () => {
    hangs()
    await desk.pass(HOUR)
    const waiting = times(20, () => desk.token(60, { headers: { accept: 'text/plain' } }))
    await desk.settle()
    await desk.pass(30 * SECOND)
    const answers = await answered(waiting)
    expect(answers).toHaveLength(20)
    for (const { status, headers, body } of answers) {
      expect([status, headers['retry-after']]).toEqual([503, '1'])
      expect(body).toBe("Latchkey can't reach the service. Check your network or VPN; Latchkey keeps trying.")
    }
  })
})

test('100 programs that connect at once are served, and none is refused', async () => {
  const script = `i=100; while [ $i -gt 0 ]; do "$1" token & i=$((i-1)); done; wait`
  const { stdout, stderr } = await run(
    [requireProgram('sh', 'dash'), '-c', script, 'sh', LATCHKEY],
    environment(desk.socket),
  )
  expect({ stdout, stderr }).toEqual({ stdout: `${first}\n`.repeat(100), stderr: '' })
})

describe('after a refused connection, the command says what to do', () => {
  test('if the app has crashed, so that nothing listens', async () => {
    const { folder, remove } = newFolder()
    const socket = `${folder}/agent.sock`
    const script = `require('net').createServer().listen('${socket}', () => console.log())`
    const listener = spawn(process.execPath, ['-e', script])
    await once(listener.stdout, 'data')
    listener.kill('SIGKILL')
    await once(listener, 'exit')
    const { code, stderr } = await run([LATCHKEY, 'token'], environment(socket))
    remove()
    expect([code, stderr]).toEqual([
      2,
      `latchkey: Latchkey isn't running, or can't be reached: start Latchkey, or run latchkey open (no answer at ${socket})\n`,
    ])
  })

  test('if too many tools are connected', async () => {
    await desk.stop()
    await start({ connections: 3 })
    const busy = await times(3, async () => (await desk.connect()).say('GET /v1/tok'))
    const { code, stderr } = await run([LATCHKEY, 'token'], environment(desk.socket))
    for (const client of busy) client.hangUp()
    expect([code, stderr]).toEqual([4, 'latchkey: Too many tools are connected. Try again in a moment.\n'])
  })
})

const environment = (socket: string) => ({ env: { PATH, LATCHKEY_SOCKET: socket } })
