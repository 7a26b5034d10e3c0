import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { run } from './process.mjs'
import { duration } from './say.mjs'

it.each([
  [1_400, '1 s'],
  [59_600, '1 min 0 s'],
  [230_000, '3 min 50 s'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words)
})

describe('the exit code of a command', () => {
  const SAY = JSON.stringify(new URL('say.mjs', import.meta.url).href)
  const EXIT_HOOK = JSON.stringify(createRequire(import.meta.url).resolve('async-exit-hook'))
  const exitCode = (/** @type {string} */ command) =>
    run(process.execPath, [
      '--input-type=module',
      '-e',
      `import hook from ${EXIT_HOOK}; import { main } from ${SAY}; hook(() => {}); await main(${command})`,
    ]).then(({ code }) => code)

  it.each([
    ['async () => 3', 3],
    ['async () => { throw new Error("broken") }', 1],
    ['async () => undefined', 0],
  ])('is kept although electron-builder’s exit hook ends the process: %s', async (command, code) => {
    expect(await exitCode(command)).toBe(code)
  })
})
