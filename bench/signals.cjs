/**
 * Electron loads this file before Latchkey or a bare app (`electron --require`). The benchmark can then send a signal
 * to close the window or to move the wall clock. The app itself contains no code for the benchmark.
 */
const { BrowserWindow, powerMonitor } = require('electron')

const SIX_MINUTES_MS = 6 * 60_000

/** Closes the window, as a click on its close button does. */
process.on('SIGUSR2', () => {
  for (const window of BrowserWindow.getAllWindows()) if (window.isVisible()) window.close()
})

/** Moves the clock forward and emits `resume`, as if the computer had slept for six minutes. */
process.on('SIGWINCH', () => {
  const now = Date.now
  Date.now = () => now() + SIX_MINUTES_MS
  powerMonitor.emit('resume')
})
