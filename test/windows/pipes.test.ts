/** Tests of what Windows' named pipes do differently from Wine's. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { newPipeName } from '../../main/agent/pipe-file.ts'
import { windowsWithoutWine } from '../support/systems.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function serve(pipe: string): Promise<void> {
  const server = createServer()
  servers.push(server)
  server.listen(pipe)
  await once(server, 'listening')
}

// Latchkey's security doesn't depend on this, because Latchkey chooses a random name at each start.
test(
  'no second server can use the name of a pipe',
  windowsWithoutWine('Wine lets a second server use the name of a pipe'),
  async () => {
    const pipe = newPipeName()
    await serve(pipe)
    await expect(serve(pipe)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  },
)
