/**
 * Electron loads this file before Latchkey or a bare app (`electron -r`). The benchmark can then send a signal
 * to close the window. The app itself contains no code for the benchmark.
 */
const { BrowserWindow } = require('electron')

/** Closes the window, as a click on its close button does. */
process.on('SIGWINCH', () => {
  for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close()
})
