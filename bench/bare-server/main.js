/** The simplest server in Electron that repeats a recorded answer of the agent. */
const { createServer } = require('node:http')
const path = require('node:path')
const { app } = require('electron')

const { headers, body } = JSON.parse(process.env['BENCH_ANSWER'])
const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
app.whenReady().then(() => server.listen({ path: path.join(app.getPath('userData'), 'agent.sock'), backlog: 1024 }))
