/** Tests how the R library runs the command to get a token. It does so on Windows, or without the curl package. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Desktop, TOKEN } from '../integration/cli/desktop.ts'
import { CLI, demand, PATH, run } from '../integration/cli/programs.ts'
import { installRPackage } from './languages.ts'

let library: string
beforeAll(() => {
  library = installRPackage()
})
let desktop: Desktop
beforeEach(async () => {
  desktop = await Desktop.start()
})
afterEach(() => desktop.stop())

describe('R with the command instead of a socket', () => {
  /** Runs R code. Replaces `find_agent`, so that the library always runs the command. */
  const r = async (code: string, folder = CLI) => {
    const command = 'assignInNamespace("find_agent", function() list(kind = "command"), "latchkeydesktop")'
    const told = `tryCatch(cat(${code}), latchkey_error = function(error) cat(error$code))`
    const env = { PATH: `${folder}:${PATH}`, HOME: desktop.folder, LATCHKEY_SOCKET: desktop.socket, R_LIBS: library }
    return run([demand('Rscript', 'r-base-core'), '-e', `library(latchkeydesktop); ${command}; ${told}`], { env })
  }
  const REJECTED = `latchkeydesktop:::latchkey_rejected(${JSON.stringify(TOKEN)})`

  test('R gets a token, and another one if the service refuses the first', async () => {
    expect(await r('latchkey_token()')).toMatchObject({ code: 0, stdout: TOKEN })
    expect(await r(REJECTED)).toMatchObject({ code: 0, stdout: `${TOKEN}.1` })
  })

  test.each([
    ['a token with a line break', 'a\\nX: y\\n'],
    ['a token with a control character', 'a\\033b\\n'],
    ['an empty token', ''],
  ])('SECURITY: refuses %s', async (_what, printed) => {
    const folder = path.join(desktop.folder, 'bin')
    mkdirSync(folder)
    const command = path.join(folder, 'latchkey')
    writeFileSync(command, `#!/bin/sh\nprintf '${printed}'\n`)
    chmodSync(command, 0o755)
    expect(await r(REJECTED, folder)).toMatchObject({ code: 0, stdout: 'unexpected_answer' })
    expect(await r('latchkey_token()', folder)).toMatchObject({ code: 0, stdout: 'unexpected_answer' })
  })
})
