import { describe, test } from 'vitest'

describe('Another user of the same computer', () => {
  test.todo(
    'the app and the command refuse a socket below a folder that somebody else can write, however far above it is',
  )

  // ---

  test.todo('the command refuses a socket that is not the user’s own, and sends it nothing')

  // ---

  test.todo('the command prints no control character of what a socket answers')

  // ---

  test.todo('http://localhost is tried at 127.0.0.1 first, so that whoever holds [::1] gets no password')

  // ---

  test.todo('a policy file is read by the path that was checked, however fast a link is flipped')

  // ---

  test.todo('a data folder that belongs to somebody else, or that others can write, is refused')

  // ---

  test.todo(
    'a core dump of the packaged Linux app holds no memory of it, or the documentation says how to switch cores off',
  )

  // ---

  test.todo('on Windows the owner of the agent’s pipe is compared before the secret is sent')
})
