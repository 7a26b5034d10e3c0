/** The simplest programs with which Latchkey is compared. BENCH_PROGRAM chooses one. */
const path = require('node:path')
const { app, BrowserWindow, Tray } = require('electron')

const { BENCH_PROGRAM, BENCH_SERVICE, BENCH_ANSWER, BENCH_PIPE } = process.env

let icon
const programs = {
  tray() {
    icon = new Tray(path.join(__dirname, 'icon.png'))
    icon.on('click', programs.window)
  },
  window() {
    new BrowserWindow({ width: 420, height: 560 }).loadFile(path.join(__dirname, 'index.html'))
  },
  async token() {
    programs.tray()
    const token = await require('../app/bare-token.cjs').refresh(BENCH_SERVICE)
    repeat({ 'content-length': token.length }, token)
  },
  server() {
    const { headers, body } = JSON.parse(BENCH_ANSWER)
    repeat(headers, body)
  },
  pipe() {
    const http = require('node:http')
    const [port, servicePort] = BENCH_PIPE.split(',')
    const agent = new http.Agent({ keepAlive: true })
    const server = http.createServer((asked, response) => {
      const { method, url, headers } = asked
      const to = { host: '127.0.0.1', port: servicePort, method, path: url, headers, agent }
      const sent = http.request(to, (answered) => {
        response.writeHead(answered.statusCode, answered.headers)
        answered.pipe(response)
      })
      asked.pipe(sent)
    })
    server.listen(Number(port), '127.0.0.1')
  },
}

function repeat(headers, body) {
  const socket = path.join(app.getPath('userData'), 'agent.sock')
  // An earlier run may have left its socket.
  require('node:fs').rmSync(socket, { force: true })
  const server = require('node:http').createServer((_, response) => response.writeHead(200, headers).end(body))
  server.listen({ path: socket, backlog: 1024 })
}

app.on('window-all-closed', () => {})
app.whenReady().then(programs[BENCH_PROGRAM])
