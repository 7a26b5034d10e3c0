/** Electron loads this before the app (`electron -r`), so that the benchmark can close its window with a signal. */
const { BrowserWindow } = require('electron')

/** Closes the window as a click on its close button does. */
process.on('SIGWINCH', () => {
  for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close()
})
