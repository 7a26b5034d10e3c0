/** What only the R library does: it runs the command (on Windows, or without the curl package), and it uses httr2. */
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLI, PATH, quoted, requireProgram, run } from '../integration/cli/programs.ts'
import { TOKEN, ToolDesktop } from '../integration/cli/tool-desktop.ts'
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
afterEach(() => desktop.stop())

describe('R with the command instead of a socket', () => {
  /** Runs R code in which the library uses the command instead of a socket. */
  const r = async (code: string, folder = CLI, more: Record<string, string> = {}) => {
    const command = 'assignInNamespace("find_agent", function() list(kind = "command"), "latchkeydesktop")'
    const told = `tryCatch(cat(${code}), latchkey_error = function(error) cat(error$code))`
    const env = {
      PATH: `${folder}:${PATH}`,
      HOME: desktop.folder,
      LATCHKEY_SOCKET: desktop.socket,
      R_LIBS: library,
      ...more,
    }
    return run([requireProgram('Rscript', 'r-base-core'), '-e', `library(latchkeydesktop); ${command}; ${told}`], {
      env,
    })
  }
  const REJECTED = `latchkeydesktop:::latchkey_rejected(${JSON.stringify(TOKEN)})`

  test('gets a token, and another one if the service rejects the first', async () => {
    expect(await r('latchkey_token()')).toMatchObject({ code: 0, stdout: TOKEN })
    expect(await r(REJECTED)).toMatchObject({ code: 0, stdout: `${TOKEN}.1` })
  })

  test('the library’s error has the code of the command’s failure', async () => {
    desktop.session.signOut()
    expect(await r('latchkey_token()')).toMatchObject({ stdout: 'signed_out' })
    expect(await r(REJECTED)).toMatchObject({ stdout: 'signed_out' })
  })

  test('SECURITY: no token is in a file while the command runs', async () => {
    const temporary = path.join(desktop.folder, 'temporary')
    const folder = path.join(desktop.folder, 'bin')
    for (const each of [temporary, folder]) mkdirSync(each)
    const command = path.join(folder, 'latchkey')
    const found = path.join(desktop.folder, 'found')
    const search = `grep -rl eyJ '${temporary}' >>'${found}'`
    writeFileSync(command, `#!/bin/sh\n${search}\n${quoted(`${CLI}/latchkey`)} "$@"\ncode=$?\n${search}\nexit $code\n`)
    chmodSync(command, 0o755)
    expect(await r(REJECTED, folder, { TMPDIR: temporary })).toMatchObject({ stdout: `${TOKEN}.1` })
    expect(readFileSync(found, 'utf8')).toBe('')
  })

  test.each([
    ['a token with a line break', 'a\\nX: y\\n'],
    ['a token with a control character', 'a\\033b\\n'],
    ['an empty token', ''],
  ])('SECURITY: the R library refuses %s that the command prints', async (_what, printed) => {
    const folder = path.join(desktop.folder, 'bin')
    mkdirSync(folder)
    const command = path.join(folder, 'latchkey')
    writeFileSync(command, `#!/bin/sh\nprintf '${printed}'\n`)
    chmodSync(command, 0o755)
    expect(await r(REJECTED, folder)).toMatchObject({ code: 0, stdout: 'unexpected_answer' })
    expect(await r('latchkey_token()', folder)).toMatchObject({ code: 0, stdout: 'unexpected_answer' })
  })
})

describe('R with httr2', () => {
  /** Runs R code, in which `url` is the service's address. Returns what it prints. */
  const r = async (code: string) => {
    const env = {
      PATH,
      HOME: desktop.folder,
      LATCHKEY_SOCKET: desktop.socket,
      R_LIBS: library,
      DATA_URL: desktop.dataUrl,
    }
    const program = `library(httr2); library(latchkeydesktop); url <- Sys.getenv("DATA_URL")\n${code}`
    const { stdout, stderr } = await run([requireProgram('Rscript', 'r-base-core'), '-e', program], { env: { ...env } })
    return stdout || stderr
  }

  test('SECURITY: no saved request, response or workspace has a token', async () => {
    desktop.refused = TOKEN
    const file = path.join(desktop.folder, 'saved')
    expect(
      await r(`
req <- req_latchkey(request(url))
resp <- req_perform(req)
saveRDS(req, "${file}.rds", compress = FALSE)
saveRDS(resp, "${file}.response.rds", compress = FALSE)
save.image("${file}.RData", compress = FALSE)
cat(resp_status(resp))`),
    ).toBe('200')
    for (const saved of ['rds', 'response.rds', 'RData'])
      expect(readFileSync(`${file}.${saved}`, 'latin1')).not.toContain('eyJ')
  })

  test('SECURITY: a request ends even if a 401 response has an endless body', async () => {
    const server = createServer((_request, response) => {
      let left = 64
      const more = () => {
        while (left-- > 0 && response.write(Buffer.alloc(1_048_576)));
        if (left < 0) response.end()
      }
      response.writeHead(401).on('drain', more)
      more()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const endless = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const told = await r(`
req <- req_latchkey(request("${endless}"), hosts = "${endless}")
tryCatch(req_perform(req), error = function(error) cat(class(error)[[1]]))`)
    server.closeAllConnections()
    server.close()
    expect(told).toMatch(/^httr2_fail/)
  })

  test('a saved request works in another session', async () => {
    const file = path.join(desktop.folder, 'saved.rds')
    await r(`saveRDS(req_latchkey(request(url)), "${file}")`)
    expect(await r(`cat(resp_status(req_perform(readRDS("${file}"))))`)).toBe('200')
  })

  // The test calls `retry_is_transient` from a method of an object that exists for each request. Since version 1.1.0,
  // httr2's req_perform_parallel() does so, too (R/pooled-request.R and R/req-perform-parallel.R of httr2).
  test('each of several requests from one req_latchkey() gets its own second attempt', async () => {
    const told = await r(`
req <- req_latchkey(request(url))
objects <- lapply(1:6, function(n) httr2:::Performance$new(req))
refused <- function() lapply(objects, function(object) {
  method <- function() {
    req <- self$req
    handle <- curl::new_handle()
    req$policies$retry_is_transient(response(401, url = url))
  }
  environment(method) <- list2env(list(self = object), parent = globalenv())
  method()
})
cat(unlist(refused()), unlist(refused()))`)
    expect(told).toBe([...Array(6).fill('TRUE'), ...Array(6).fill('FALSE')].join(' '))
    expect(desktop.session.refreshes).toBe(1)
  })

  test('after the service refused several requests at once, the next requests have another token', async () => {
    desktop.refused = TOKEN
    const told = await r(`
round <- function() for (resp in multi_req_perform(lapply(1:6, function(n) req_latchkey(request(url))))) {
  cat(if (inherits(resp, "error")) resp$status else resp_status(resp), "")
}
round()
round()
round()`)
    expect(told.trim()).toBe([...Array(6).fill('401'), ...Array(12).fill('200')].join(' '))
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

  test('SECURITY: requests to “localhost.”, with a dot at the end, go to 127.0.0.1', async () => {
    const { port } = new URL(desktop.dataUrl)
    const stranger = new OtherServer()
    await stranger.start('::1', Number(port))
    await r(`
local <- sub("127.0.0.1", "localhost.", url, fixed = TRUE)
req <- req_options(request(local), resolve = "localhost.:${port}:[::1]")
req_perform(req_latchkey(req, hosts = local))`)
    await stranger.stop()
    expect([desktop.answers, stranger.shown]).toEqual([[200], []])
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
