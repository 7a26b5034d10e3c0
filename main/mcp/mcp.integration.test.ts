import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { McpDesktop } from '../../test/mcp/desktop.ts'
import { type SdkServer, startSdkServer } from '../../test/mcp/sdk-server.ts'

let desktop: McpDesktop
let server: SdkServer
beforeEach(async () => {
  desktop = new McpDesktop()
  server = await startSdkServer((token) => desktop.accepts(token))
  desktop.dataAddress = new URL(server.url).origin
  await desktop.agent.start()
})
afterEach(async () => {
  await desktop.stop()
  await server.stop()
})

describe('an AI client that runs latchkey mcp', () => {
  test('lists and calls the server’s tools', async () => {
    const client = await desktop.connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(await client.callTool({ name: 'echo', arguments: { text: 'Grüße' } })).toMatchObject({
      content: [{ type: 'text', text: 'Grüße' }],
    })
  })
})
