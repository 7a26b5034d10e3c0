/** The simplest app that shows a tray icon, reads a keychain entry and refreshes a token, with Latchkey's libraries. */
const { connect } = require('node:net')
const path = require('node:path')
const { app, Tray } = require('electron')

const { BENCH_BASE_ADDRESS, BENCH_SOCKET, BENCH_SIGN_IN } = process.env

app.whenReady().then(async () => {
  globalThis.tray = new Tray(path.join(__dirname, '../bare-tray/icon.png'))
  const { signIn, refresh, store } = require('../app/bare-token.cjs')
  const pair = await (BENCH_SIGN_IN === undefined ? refresh : signIn)(BENCH_BASE_ADDRESS)
  // Opening this connection tells the benchmark that the token has arrived. Closing the connection tells it that the
  // refresh token is stored.
  const benchmark = connect(BENCH_SOCKET)
  await store(pair)
  benchmark.end()
})
