/** The simplest app that shows a tray icon, reads one keychain entry and refreshes the token. */
const { connect } = require('node:net')
const path = require('node:path')
const { app, Tray } = require('electron')

app.whenReady().then(async () => {
  globalThis.tray = new Tray(path.join(__dirname, '../bare-tray/icon.png'))
  const { firstToken, store } = require('../app/bare-token.cjs')
  const pair = await firstToken(process.env['BENCH_BASE_ADDRESS'])
  // The benchmark takes the connection as the sign that the token has arrived, and its end as the sign that it is stored.
  const benchmark = connect(process.env['BENCH_SOCKET'])
  await store(pair)
  benchmark.end()
})
