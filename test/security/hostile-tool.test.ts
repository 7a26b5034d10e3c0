import { describe, test } from 'vitest'

describe('A hostile tool, environment or command line of the same user', () => {
  test.todo('NODE_DEBUG prints no credentials: a packaged app does not run with it set')

  // ---

  test.todo('an inherited APPIMAGE doesn’t put another program into the autostart entry')

  // ---

  test.todo('the doctor prints of a malformed proxy variable its name alone')

  // ---

  test.todo('more connections than the process has file descriptors for don’t end the app')

  // ---

  test.todo('latchkey.cmd runs Windows’ own PowerShell, whatever lies in the current folder')

  // ---

  test.todo('an argument of `latchkey exec` on Windows stays one argument, whatever is in it')

  // ---

  test.todo('a client secret stored as the documentation says is found, every time')
})
