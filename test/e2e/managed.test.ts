/** The policy file, which the app reads at its start and after each change. */

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { askAgent, OFF_BY_ADMINISTRATOR, OFF_BY_USER, SERVES } from '../support/ask-agent.ts'
import { call, viewOf } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { openManagedDesktop } from '../support/managed-desktop.ts'
import { POLICY_FILE, rootOnly } from '../support/systems.ts'

const managed = (cause: object) => ({ ok: false, failure: { code: 'invalidInput', ...cause } })

const notices = async (page: Page) => (await viewOf(page)).notices

describe('the policy file', rootOnly(POLICY_FILE), () => {
  it('SECURITY: no call of the window can change a value that the policy file sets', async () => {
    const service = await startDemoService()
    onTestFinished(() => service.stop())
    const policy = { baseAddress: service.address, authUrl: 'https://login.example.com', agent: false }
    const { desk } = await openManagedDesktop(policy)
    const { page } = await (await desk.start()).open()
    expect((await viewOf(page)).connection).toMatchObject({ baseAddress: service.address, source: 'policy' })

    for (const values of [
      { baseAddress: desk.service.address },
      { baseAddress: '' },
      { baseAddress: service.address },
    ] as const) {
      await expect(call(page, 'saveSettings', values)).resolves.toMatchObject(
        managed({ fields: { baseAddress: 'managed' } }),
      )
    }
    const provider = { scope: 'openid', audience: 'a', clientId: 'b', clientSecret: 'c' }
    await expect(
      call(page, 'saveSettings', { ...provider, authUrl: 'https://elsewhere.example' }),
    ).resolves.toMatchObject(managed({ fields: { authUrl: 'managed' } }))
    for (const enabled of [true, false]) {
      await expect(call(page, 'setSwitch', { name: 'agent', enabled })).resolves.toMatchObject(
        managed({ details: { cause: 'managed' } }),
      )
    }
    expect(desk.settings()).toBeUndefined()
    await eventually(() => askAgent(desk)).toMatch(OFF_BY_ADMINISTRATOR)
    expect(desk.service.requests).toEqual([])
  })

  it('turns the agent off and on while the app runs, whatever the user chose', async () => {
    const { desk, write, remove } = await openManagedDesktop({ agent: true })
    const window = await (await desk.start()).open()
    const { page } = window
    await window.signIn(ANA)
    await eventually(() => askAgent(desk)).toMatch(SERVES)
    write({ agent: false })
    await eventually(() => askAgent(desk)).toMatch(OFF_BY_ADMINISTRATOR)
    await expect(viewOf(page)).resolves.toMatchObject({ switches: { agent: { enabled: false, source: 'policy' } } })
    write('{"agent": false,}')
    await eventually(() => notices(page)).toEqual([
      expect.stringContaining('policy.json (line 1, column 17) is damaged'),
    ])
    await expect(askAgent(desk)).resolves.toMatch(OFF_BY_ADMINISTRATOR)

    remove()
    await eventually(() => askAgent(desk)).toMatch(SERVES)
    await expect(call(page, 'setSwitch', { name: 'agent', enabled: false })).resolves.toEqual(OK)
    await expect(askAgent(desk)).resolves.toMatch(OFF_BY_USER)
    write({ agent: true })
    await eventually(() => askAgent(desk)).toMatch(SERVES)
    expect((await viewOf(page)).session.kind).toBe('active')
    expect(desk.service.requests.map(({ operation }) => operation)).toEqual(['login'])
  })

  it('SECURITY: a policy file that other users can write is reported, and sets and permits nothing', async () => {
    const { desk, write } = await openManagedDesktop({ scope: 'openid', agent: true })
    const { page } = await (await desk.start()).open()
    expect((await viewOf(page)).settings.scope).toEqual({ value: 'openid', source: 'policy', place: 'file' })
    write({ scope: 'openid', agent: true }, 0o666)
    await expect
      .poll(() => notices(page))
      .toEqual([
        expect.stringContaining('/etc/latchkey/policy.json'),
        expect.stringContaining('Until /etc/latchkey/policy.json is corrected'),
      ])
    await expect(viewOf(page)).resolves.toMatchObject({
      settings: { scope: {} },
      switches: { agent: { enabled: false, source: 'policy' } },
    })
    await eventually(() => askAgent(desk)).toMatch(OFF_BY_ADMINISTRATOR)
  })

  it('SECURITY: a certificate authority in a file that other users can write is reported and not trusted', async () => {
    const tls = selfSignedCertificate({ host: 'localhost' })
    const service = await startDemoService({ tls })
    onTestFinished(() => service.stop())
    const { desk, write, place } = await openManagedDesktop({})
    const files = [place('ca.pem', tls.cert, 0o666), '/etc/latchkey/none.pem', place('text.pem', 'no certificate')]
    write({ baseAddress: `https://localhost:${service.port}`, tls: { caFiles: files } })
    const window = await (await desk.start()).open()
    await window.trySignIn(ANA)
    await expect(window.alert.textContent()).resolves.toContain('doesn’t trust the certificate')
    expect(service.requests).toEqual([])
    await expect
      .poll(() => notices(window.page))
      .toEqual([
        expect.stringContaining(
          'tls.caFiles: /etc/latchkey/ca.pem (/etc/latchkey/policy.json, line 1) was ignored because users other than the administrator can change it',
        ),
        expect.stringContaining('/etc/latchkey/none.pem (/etc/latchkey/policy.json, line 1) doesn’t exist'),
        expect.stringContaining('/etc/latchkey/text.pem (/etc/latchkey/policy.json, line 1) is damaged'),
      ])
  })
})
