/** Electron loads this before the app (`electron -r`), so that a signal can close its window. */
const { BrowserWindow } = require('electron')

process.on('SIGWINCH', () => {
  for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close()
})
