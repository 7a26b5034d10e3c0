import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { ROOT } from '../support/app.ts'
import { asOrdinaryUser } from '../support/ordinary-user.ts'
import { openSignedIn, type TestDesktop } from '../support/test-desktop.ts'

async function connect(desk: TestDesktop): Promise<Client> {
  const script = path.join(desk.home, 'latchkey')
  copyFileSync(path.join(ROOT, 'cli/latchkey'), script)
  const client = new Client({ name: 'test', version: '1' })
  onTestFinished(() => client.close())
  const command = asOrdinaryUser('/bin/sh', desk.home)
  const env = { PATH: process.env['PATH'] ?? '', LATCHKEY_SOCKET: path.join(desk.dataFolder, 'agent.sock') }
  await client.connect(new StdioClientTransport({ command, args: [script, 'mcp'], env }))
  return client
}

it('an AI client can read tables after refreshes; after a sign-out, it gets an error that asks the user to sign in', async () => {
  const { desk, window } = await openSignedIn({ service: { tokenLifetime: 5 } })
  const client = await connect(desk)
  const orders = () => client.callTool({ name: 'describe_table', arguments: { table: 'orders' } })
  const found = { content: [{ text: expect.stringContaining('"rows":128412') }] }
  expect(await orders()).toMatchObject(found)
  const refreshes = async () => {
    expect(await orders()).toMatchObject(found)
    return desk.count('refresh')
  }
  await expect.poll(refreshes).toBeGreaterThan(0)
  // If the token has expired soon after its refresh, there is none for some seconds.
  await expect.poll(orders).toMatchObject(found)

  await window.signOut()
  await expect(orders()).rejects.toThrow('You are not signed in. Open Latchkey and sign in.')
  await window.signIn(ANA)
  await expect.poll(orders).toMatchObject(found)
})
