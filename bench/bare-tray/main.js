/** The simplest app that shows a tray icon, and a window when the icon is clicked. */
const path = require('node:path')
const { app, BrowserWindow, Tray } = require('electron')

let tray
app.on('window-all-closed', () => {})
app.whenReady().then(() => {
  tray = new Tray(path.join(__dirname, 'icon.png'))
  tray.on('click', () => {
    const window = new BrowserWindow({ width: 420, height: 560 })
    window.loadFile(path.join(__dirname, '../bare-window/index.html'))
  })
})
