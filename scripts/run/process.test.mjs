import { describe, expect, it } from 'vitest'
import { posixOnly } from '../../test/support/systems.ts'
import { run, start } from './process.mjs'

const node = (/** @type {string} */ script) => /** @type {const} */ ([process.execPath, ['-e', script]])
const FOREVER = 'setInterval(() => {}, 1000)'

describe('a child process', () => {
  it('`run` resolves to the output and exit code', async () => {
    expect(await run(...node('console.log("out"); console.error("err"); process.exit(3)'))).toEqual({
      code: 3,
      output: expect.stringMatching(/^(out\nerr\n|err\nout\n)$/),
      timedOut: false,
    })
  })

  it('`run` resolves, and doesn’t reject, if the program can’t be started', async () => {
    expect(await run('/nonexistent/program', [])).toMatchObject({
      code: 127,
      output: expect.stringContaining('ENOENT'),
    })
  })

  it('a child process is stopped when its time limit is over', async () => {
    expect(await run(...node(FOREVER), { limit: 200 })).toMatchObject({ code: 143, timedOut: true })
  })

  it('if a child ignores SIGTERM, its children are killed too', posixOnly('it has no process groups'), async () => {
    const child = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(FOREVER)}], { stdio: 'inherit' })`
    const running = start(...node(`process.on('SIGTERM', () => {}); ${child}; console.log('ready')`))
    await running.said(/ready/, 10_000)
    // `stop` resolves when the output has closed, so the child's own child has ended too.
    expect(await running.stop(50)).toMatchObject({ code: 137 })
  })

  it('`said` resolves when the child process prints the text or ends', async () => {
    const speaker = start(...node(`console.log('at 127.0.0.1'); ${FOREVER}`))
    expect((await speaker.said(/at (\S+)\n/, 10_000))?.[1]).toBe('127.0.0.1')
    await speaker.stop()
    expect(await start(...node('console.log("nothing")')).said(/something/, 10_000)).toBeUndefined()
  })

  it('a child process gets this process’s environment with the given changes', async () => {
    const script = 'console.log(typeof process.env.PATH, process.env.ADDED, process.env.TAKEN)'
    process.env['TAKEN'] = 'still here'
    try {
      const { output } = await run(...node(script), { env: { ADDED: 'yes', TAKEN: undefined } })
      expect(output).toBe('string yes undefined\n')
    } finally {
      delete process.env['TAKEN']
    }
  })
})
