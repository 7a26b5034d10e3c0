/** The simplest app that shows a window with one heading. */
const path = require('node:path')
const { app, BrowserWindow } = require('electron')

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 420, height: 560 })
  window.loadFile(path.join(__dirname, 'index.html'))
})
