import * as v from 'valibot'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDemoService } from '../../demo/service.ts'
import { parsePolicy } from '../../main/settings/policy.ts'
import { calls } from '../../preload/contract.ts'
import { call, viewOf } from '../support/calls.ts'
import { openDesk } from '../support/desk.ts'

describe('A script that got into Latchkey’s window', () => {
  test.todo('a refresh token never follows a changed provider address')

  // ---

  test.todo('a client secret never follows a changed provider address')

  // ---

  test.todo('a change of where credentials go is confirmed in a native dialog that names both hosts')

  // ---

  test.todo('a new connection is confirmed in a native dialog, once there is one')

  // ---

  test.todo(
    'a managed client secret is used with a managed provider address alone, whether policy or environment sets it',
  )

  // ---

  test.todo('a password is changed only by whoever proves the current one')

  // ---

  test('where the address is managed, connections are added only if the policy allows it', async () => {
    // The environment sets the address of this one.
    const desk = await openDesk()
    const elsewhere = await startDemoService()
    onTestFinished(() => elsewhere.stop())
    const { page } = await (await desk.start()).open()
    const before = desk.settings()
    const adding = call(page, 'addConnection', { name: 'staging', baseAddress: elsewhere.address })
    await expect(adding).resolves.toMatchObject({ ok: false, failure: { fields: { baseAddress: 'managed' } } })
    const { mayAddConnections, connections } = await viewOf(page)
    expect(mayAddConnections).toBe(false)
    expect(connections.map(({ name }) => name)).toEqual(['default'])
    expect(desk.settings()).toEqual(before)
    expect(elsewhere.requests).toEqual([])
  })

  // ---

  test('no new connection gets a name that an object already has', async () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    expect(names).toContain('constructor')
    for (const name of names) {
      const input = { name, baseAddress: 'https://staging.example.com' }
      expect(v.is(calls.addConnection, input), name).toBe(false)
      const connections = Object.fromEntries([[name, { baseAddress: input.baseAddress }]])
      const { problems } = parsePolicy('policy.json', JSON.stringify({ connections }))
      expect(problems).toMatchObject([{ key: `connections.${name}`, problem: 'unusable' }])
    }
  })

  // ---

  test.todo('a page asks no name server: dns-prefetch, preconnect and their like look nothing up')

  // ---

  test.todo('a page can’t overwrite the clipboard')
})
