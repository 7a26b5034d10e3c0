/** The least that gives the agent's answer in Electron: it repeats what the agent once answered. */
const { createServer } = require('node:http')
const path = require('node:path')
const { app } = require('electron')

const { headers, body } = JSON.parse(process.env['BENCH_ANSWER'])
const server = createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
app.whenReady().then(() => server.listen({ path: path.join(app.getPath('userData'), 'agent.sock'), backlog: 1024 }))
