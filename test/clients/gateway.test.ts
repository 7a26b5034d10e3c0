/** Real programs fetch data through the gateway. Each takes an address, a username and a password in its own way. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayRig, startGateway } from '../gateway/rig.ts'
import { PATH } from '../integration/cli/programs.ts'

const ROWS = 'table,rows\norders,128412\n'
const run = promisify(execFile)
let rig: GatewayRig
let folder: string

beforeAll(async () => {
  rig = await startGateway({
    serve: (request, response) => {
      const isAllowed = request.headers.authorization === 'Bearer token-1'
      response.writeHead(isAllowed ? 200 : 401, {
        'content-type': 'text/csv',
        'content-length': isAllowed ? ROWS.length : 0,
      })
      response.end(isAllowed && request.method !== 'HEAD' ? ROWS : undefined)
    },
  })
  folder = mkdtempSync(path.join(tmpdir(), 'latchkey-gateway-'))
})
afterAll(async () => {
  await rig?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** The script stores the password where LibreOffice's sign-in dialog would store it. */
const LIBREOFFICE = `
import os, signal, subprocess, sys, time, uno
from com.sun.star.beans import PropertyValue
from com.sun.star.table import CellAddress
url, password = sys.argv[1:]
name = "latchkey-%d" % os.getpid()
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
office = subprocess.Popen(["soffice", "--headless", "--norestore", "--nologo", "--nodefault",
    "-env:UserInstallation=file://" + os.environ["HOME"] + "/office", "--accept=pipe,name=%s;urp;" % name],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
try:
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    while True:
        try:
            context = resolver.resolve("uno:pipe,name=%s;urp;StarOffice.ComponentContext" % name)
            break
        except Exception:
            if office.poll() is not None: raise
            time.sleep(0.1)
    create = lambda service: context.ServiceManager.createInstanceWithContext("com.sun.star." + service, context)
    create("task.PasswordContainer").add(url.rsplit("/", 1)[0], "latchkey", (password,), None)
    desktop = create("frame.Desktop")
    sheets = desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, (PropertyValue("Hidden", 0, True, 0),))
    sheets.AreaLinks.insertAtPosition(CellAddress(0, 0, 0), url, "CSV_all", "Text - txt - csv (StarCalc)", "44,34,76,1")
    for row in sheets.Sheets.getByIndex(0).getCellRangeByName("A1:B2").DataArray:
        print(*[int(cell) if isinstance(cell, float) else cell for cell in row], sep=",")
    sheets.close(True)
    desktop.terminate()
    office.wait(20)
finally:
    if office.poll() is None: os.killpg(office.pid, signal.SIGKILL)
`
it.each<[string, (url: string, password: string, file: string) => readonly string[]]>([
  [
    'curl that waits for a 401 before it sends the password',
    (url, password) => ['curl', '-q', '--silent', '--anyauth', '--user', `latchkey:${password}`, url],
  ],
  ['LibreOffice Calc', (url, password, file) => ['python3', file, url, password]],
  ['rclone', (url, password) => ['rclone', 'copyurl', '--stdout', url.replace('//', `//latchkey:${password}@`)]],
])('%s fetches data through the gateway', async (_, words) => {
  const file = path.join(folder, 'ask')
  writeFileSync(file, LIBREOFFICE)
  const [program = '', ...args] = words(`http://127.0.0.1:${rig.port}/tables.csv`, rig.password.reveal(), file)
  const { stdout } = await run(program, args, { timeout: 50_000, env: { PATH, HOME: folder } })
  expect(stdout).toBe(ROWS)
})
