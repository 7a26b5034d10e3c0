/** Real programs fetch data through the gateway. Each takes an address, a username and a password in its own way. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../gateway/rig.ts'
import { PATH, requireProgram, run } from '../integration/cli/programs.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ROWS = 'table,rows\norders,128412\n'

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
    office.wait()
finally:
    if office.poll() is None: os.killpg(office.pid, signal.SIGKILL)
`
const URLLIB = `
import sys, urllib.request
url, password = sys.argv[1:]
manager = urllib.request.HTTPPasswordMgrWithDefaultRealm()
manager.add_password(None, url, "latchkey", password)
opener = urllib.request.build_opener(urllib.request.HTTPBasicAuthHandler(manager))
sys.stdout.write(opener.open(url).read().decode())
`
const REQUESTS = `
import sys, requests
url, password = sys.argv[1:]
sys.stdout.write(requests.get(url, auth=("latchkey", password)).text)
`
const R = `
args <- commandArgs(TRUE)
request <- httr2::req_auth_basic(httr2::request(args[[1]]), "latchkey", args[[2]])
cat(httr2::resp_body_string(httr2::req_perform(request)))
`
const JAVA = `
import java.net.*;
import java.net.http.*;
class Ask {
  public static void main(String[] args) throws Exception {
    var own = new Authenticator() {
      protected PasswordAuthentication getPasswordAuthentication() {
        return new PasswordAuthentication("latchkey", args[1].toCharArray());
      }
    };
    var request = HttpRequest.newBuilder(URI.create(args[0])).build();
    var client = HttpClient.newBuilder().authenticator(own).build();
    System.out.print(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}
`

it.each<[string, string, string, (url: string, password: string, file: string) => readonly string[]]>([
  [
    'curl that waits for a 401 before it sends the password',
    ...(['curl', ''] as const),
    (url, password) => ['-q', '--silent', '--anyauth', '--user', `latchkey:${password}`, url],
  ],
  ['rclone', 'rclone', '', (url, password) => ['copyurl', '--stdout', url.replace('//', `//latchkey:${password}@`)]],
  ['Python’s urllib', 'python3', URLLIB, (url, password, file) => [file, url, password]],
  ['requests', 'python3', REQUESTS, (url, password, file) => [file, url, password]],
  ['LibreOffice Calc', 'python3', LIBREOFFICE, (url, password, file) => [file, url, password]],
  ['R’s httr2', 'Rscript', R, (url, password, file) => [file, url, password]],
  ['Java’s HttpClient', 'java', JAVA, (url, password, file) => [file, url, password]],
])('%s fetches data through the gateway', async (_, program, code, words) => {
  const rig = await startGateway({
    serve: (request, response) => {
      const isAllowed = request.headers.authorization === 'Bearer token-1'
      const length = isAllowed ? ROWS.length : 0
      response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'text/csv', 'content-length': length })
      response.end(isAllowed && request.method !== 'HEAD' ? ROWS : undefined)
    },
  })
  onTestFinished(() => rig.end())
  const folder = temporaryFolder()
  const file = path.join(folder, 'Ask.java')
  writeFileSync(file, code)
  const args = words(`http://127.0.0.1:${rig.port}/tables.csv`, rig.password.reveal(), file)
  const { stdout, stderr } = await run([requireProgram(program), ...args], { env: { PATH, HOME: folder } })
  expect(stdout, stderr).toBe(ROWS)
})
