/** What only the R library does: it runs the command (on Windows, or without the curl package), and it uses httr2. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLI, PATH, quoted, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
import { httpServer } from '../support/local-servers.ts'
import { installRPackage } from './languages.ts'
import { OtherServer } from './other-server.ts'

let library: string
beforeAll(() => {
  library = installRPackage()
})
let desktop: ToolDesktop
beforeEach(async () => {
  desktop = await ToolDesktop.start()
})

describe('R with the command instead of a socket', () => {
  const r = async (asked: string, folder = CLI, more: Record<string, string> = {}) => {
    const command = 'assignInNamespace("find_agent", function() list(kind = "command"), "latchkeydesktop")'
    const told = `tryCatch(cat(${asked}), latchkey_error = function(error) cat(error$code))`
    const env = { ...desktop.env, PATH: `${folder}:${PATH}`, R_LIBS: library, ...more }
    const code = `library(latchkeydesktop); ${command}; ${told}`
    return run([requireProgram('Rscript', 'r-base-core'), '-e', code], { env })
  }
  const REJECTED = `latchkeydesktop:::latchkey_rejected(${JSON.stringify(TOKEN)})`

  test('gets a token, and another one if the service rejects the first; errors have the command’s code', async () => {
    expect(await r('latchkey_token()')).toMatchObject({ code: 0, stdout: TOKEN })
    expect(await r(REJECTED)).toMatchObject({ code: 0, stdout: `${TOKEN}.1` })
    desktop.session.signOut()
    expect(await r('latchkey_token()')).toMatchObject({ stdout: 'signed_out' })
  })

  test('SECURITY: no token is in a file while the command runs', async () => {
    const temporary = path.join(desktop.folder, 'temporary')
    const folder = path.join(desktop.folder, 'bin')
    for (const each of [temporary, folder]) mkdirSync(each)
    const found = path.join(desktop.folder, 'found')
    const search = `grep -rl eyJ '${temporary}' >>'${found}'`
    const command = `#!/bin/sh\n${search}\n${quoted(`${CLI}/latchkey`)} "$@"\ncode=$?\n${search}\nexit $code\n`
    writeFileSync(path.join(folder, 'latchkey'), command, { mode: 0o755 })
    expect(await r(REJECTED, folder, { TMPDIR: temporary })).toMatchObject({ stdout: `${TOKEN}.1` })
    expect(readFileSync(found, 'utf8')).toBe('')
  })

  test('SECURITY: the R library refuses what the command prints if it isn’t a token', async () => {
    const folder = path.join(desktop.folder, 'bin')
    mkdirSync(folder)
    for (const printed of ['a\\nX: y\\n', '']) {
      writeFileSync(path.join(folder, 'latchkey'), `#!/bin/sh\nprintf '${printed}'\n`, { mode: 0o755 })
      for (const code of [REJECTED, 'latchkey_token()']) {
        expect(await r(code, folder)).toMatchObject({ code: 0, stdout: 'unexpected_answer' })
      }
    }
  })
})

describe('R with httr2', () => {
  /** Runs R code, in which `url` is the service's address. Returns what it prints. */
  const r = async (code: string) => {
    const env = { ...desktop.env, R_LIBS: library }
    const program = `library(httr2); library(latchkeydesktop); url <- Sys.getenv("DATA_URL")\n${code}`
    const { stdout, stderr } = await run([requireProgram('Rscript', 'r-base-core'), '-e', program], { env })
    return stdout || stderr
  }

  test('SECURITY: no saved request, response or workspace has a token, and a saved request works', async () => {
    desktop.refused = TOKEN
    const file = path.join(desktop.folder, 'saved')
    expect(
      await r(`
req <- req_latchkey(request(url))
resp <- req_perform(req)
saveRDS(req, "${file}.rds", compress = FALSE)
saveRDS(resp, "${file}.response.rds", compress = FALSE)
save.image("${file}.RData", compress = FALSE)
cat(resp_status(resp), resp_status(req_perform(readRDS("${file}.rds"))))`),
    ).toBe('200 200')
    for (const saved of ['rds', 'response.rds', 'RData'])
      expect(readFileSync(`${file}.${saved}`, 'latin1')).not.toContain('eyJ')
  })

  test('SECURITY: a request ends even if a 401 response has an endless body', async () => {
    const { port, stop } = await httpServer((_request, response) => {
      let left = 64
      const more = () => {
        while (left-- > 0 && response.write(Buffer.alloc(1_048_576)));
        if (left < 0) response.end()
      }
      response.writeHead(401).on('drain', more)
      more()
    })
    const endless = `http://127.0.0.1:${port}`
    const told = await r(`
req <- req_latchkey(request("${endless}"), hosts = "${endless}")
tryCatch(req_perform(req), error = function(error) cat(class(error)[[1]]))`)
    stop()
    expect(told).toMatch(/^httr2_fail/)
  })

  test('after the service refused several requests from one req_latchkey(), the next ones have another token', async () => {
    desktop.refused = TOKEN
    const told = await r(`
req <- req_latchkey(request(url))
for (n in 1:2) for (resp in multi_req_perform(rep(list(req), 6))) {
  cat(if (inherits(resp, "error")) resp$status else resp_status(resp), "")
}`)
    expect(told.trim()).toBe([...Array(6).fill('401'), ...Array(6).fill('200')].join(' '))
    expect(desktop.session.refreshes).toBe(1)
  })

  test('SECURITY: with multi_req_perform(), a 401 from the target of a redirect doesn’t replace the token', async () => {
    const otherServer = new OtherServer()
    await otherServer.start()
    desktop.movedTo = `${otherServer.url}/there`
    await r(`
moved <- sub("/tables", "/moved", url, fixed = TRUE)
for (n in 1:2) multi_req_perform(list(req_latchkey(request(moved))))`)
    await otherServer.stop()
    expect([otherServer.shown, desktop.session.refreshes]).toEqual([['none', 'none'], 0])
  })

  test('SECURITY: a request without TLS is refused if its options or address change after req_latchkey()', async () => {
    const told = await r(`
for (change in list(
  function(req) req_options(req, noproxy = ""),
  function(req) req_options(req, connect_to = "::127.0.0.2:"),
  function(req) req_url(req, sub("127.0.0.1", "localhost.", url, fixed = TRUE))
)) {
  req <- change(req_latchkey(request(url), hosts = sub("127.0.0.1", "localhost", url, fixed = TRUE)))
  tryCatch(req_perform(req), latchkey_error = function(error) cat(error$code, ""),
    error = function(error) cat(error$parent$code, ""))
}`)
    expect(told.trim()).toBe('unencrypted unencrypted unencrypted')
    expect(desktop.answers).toEqual([])
  })
})
