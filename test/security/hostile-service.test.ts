import { describe, test } from 'vitest'

describe('A hostile service, identity provider or proxy', () => {
  test.todo('no text of 256 KB, whatever it holds, keeps the app busy for more than 100 ms')

  // ---

  test.todo('the name in a token reaches tray, window and notifications clean and short')

  // ---

  test.todo('tokens that live a second are refreshed no more often than every 30 s')

  // ---

  test.todo('credentials of an HTTPS proxy never go to an HTTP proxy of the same host and port')

  // ---

  test.todo('a refresh token is never sent to another issuer than the one it came from')

  // ---

  test.todo('a client certificate is shown to managed addresses alone')
})
