/** The simplest server in Electron: repeats a recorded answer of the agent, or pipes each request to a service. */
const http = require('node:http')
const path = require('node:path')
const { app } = require('electron')

const { BENCH_ANSWER: answer, BENCH_PIPE: pipe } = process.env

function repeat() {
  const { headers, body } = JSON.parse(answer)
  const server = http.createServer((_, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
  server.listen({ path: path.join(app.getPath('userData'), 'agent.sock'), backlog: 1024 })
}

function forward() {
  const [port, servicePort] = pipe.split(',')
  const agent = new http.Agent({ keepAlive: true })
  const server = http.createServer((asked, response) => {
    const { method, url, headers } = asked
    const sent = http.request(
      { host: '127.0.0.1', port: servicePort, method, path: url, headers, agent },
      (answered) => {
        response.writeHead(answered.statusCode, answered.headers)
        answered.pipe(response)
      },
    )
    asked.pipe(sent)
  })
  server.listen(Number(port), '127.0.0.1')
}

app.whenReady().then(pipe === undefined ? repeat : forward)
