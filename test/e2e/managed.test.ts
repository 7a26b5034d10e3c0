/**
 * Tests the policy file: the user can't change a value that it sets. The app reads the file at the start and whenever
 * the file changes.
 */

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { selfSignedCertificate, signedCertificate } from '../../demo/certificate.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { listening } from '../../main/service/testing.ts'
import { askAgent, OFF_BY_ADMINISTRATOR, OFF_BY_USER, SERVES } from '../support/ask-agent.ts'
import { call, viewOf } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { openManagedDesk } from '../support/managed-desk.ts'
import { own } from '../support/ordinary-user.ts'
import { POLICY_FILE, rootOnly } from '../support/systems.ts'

const managed = (cause: object) => ({ ok: false, failure: { code: 'invalidInput', ...cause } })

const notices = async (page: Page) => (await viewOf(page)).notices

describe('the administrator’s file', rootOnly(POLICY_FILE), () => {
  it('SECURITY: no call of the window can change a value that the policy file sets', async () => {
    const service = await startDemoService()
    onTestFinished(() => service.stop())
    const policy = { baseAddress: service.address, authUrl: 'https://login.example.com', agent: false }
    const { desk } = await openManagedDesk(policy)
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

  it('the policy file turns the agent off and on while the app runs, whatever the user chose', async () => {
    const { desk, write, remove } = await openManagedDesk({ agent: true })
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
    // The session was not affected.
    expect((await viewOf(page)).session.kind).toBe('active')
    expect(desk.service.requests.map(({ operation }) => operation)).toEqual(['login'])
  })

  it('the app uses another service while the policy file names it; afterwards the first session continues', async () => {
    const service = await startDemoService()
    onTestFinished(() => service.stop())
    const { desk, write } = await openManagedDesk({})
    const window = await (await desk.start()).open()
    await window.signIn(ANA)
    write({ baseAddress: service.address })
    await expect
      .poll(() => viewOf(window.page))
      .toMatchObject({
        connection: { baseAddress: service.address, source: 'policy' },
        session: { kind: 'signedOut' },
      })
    write({})
    await expect
      .poll(() => viewOf(window.page))
      .toMatchObject({
        connection: { baseAddress: desk.service.address, source: 'environment' },
        session: { kind: 'active' },
      })
    expect(desk.count('logout')).toBe(0)
  })

  it('a wrong value in the policy file is shown with its line until corrected; the other values apply', async () => {
    const { desk, write } = await openManagedDesk('{\n  "scope": "openid",\n  "realm": 7,\n  "agnet": false\n}')
    const { page } = await (await desk.start()).open()
    await expect(viewOf(page)).resolves.toMatchObject({
      settings: { scope: { value: 'openid', source: 'policy' }, realm: {} },
      notices: [
        expect.stringContaining('realm (/etc/latchkey/policy.json, line 3)'),
        expect.stringContaining('agnet (/etc/latchkey/policy.json, line 4)'),
      ],
    })
    write('{\n  "scope": "openid",\n}')
    await expect.poll(() => notices(page)).toEqual([expect.stringContaining('policy.json (line 3, column 1)')])
    expect((await viewOf(page)).settings.scope).toEqual({ value: 'openid', source: 'policy' })
    write({ scope: 'openid' })
    await expect.poll(() => notices(page)).toEqual([])
  })

  it('SECURITY: the policy file is ignored and reported as soon as other users can write to it', async () => {
    const { desk, write } = await openManagedDesk({ scope: 'openid', agent: false })
    const { page } = await (await desk.start()).open()
    expect((await viewOf(page)).settings.scope).toEqual({ value: 'openid', source: 'policy' })
    write({ scope: 'openid', agent: false }, 0o666)
    await expect.poll(() => notices(page)).toEqual([expect.stringContaining('/etc/latchkey/policy.json')])
    await expect(viewOf(page)).resolves.toMatchObject({
      settings: { scope: {} },
      switches: { agent: { enabled: true } },
    })
    await eventually(() => askAgent(desk)).toMatch(SERVES)
  })

  it('a company’s certificate authority is trusted as soon as the file names it', async () => {
    const tls = selfSignedCertificate({ host: 'localhost' })
    const service = await startDemoService({ tls })
    onTestFinished(() => service.stop())
    const baseAddress = `https://localhost:${service.port}`
    const { desk, write, place } = await openManagedDesk({ baseAddress })
    const window = await (await desk.start()).open()
    await window.trySignIn(ANA)
    await expect(window.alert.textContent()).resolves.toContain('doesn’t trust the certificate')
    expect(service.requests).toEqual([])

    write({ baseAddress, tls: { caFiles: [place('ca.pem', tls.cert)] } })
    // Presses Sign in until the app has read the new policy file.
    await eventually(async () => {
      await window
        .button('Sign in')
        .click({ timeout: 500 })
        .catch(() => {})
      return window.signedIn.isVisible()
    }).toBe(true)
    expect(service.requests.map(({ operation }) => operation)).toEqual(['login'])
    await expect(notices(window.page)).resolves.toEqual([])
  })

  it('the diagnostics present the computer’s certificate only to a service that the policy file names', async () => {
    const authority = selfSignedCertificate({ host: 'authority.test' })
    const shown: string[] = []
    const asking = { requestCert: true, ca: authority.cert, maxVersion: 'TLSv1.2' } as const
    const server = createServer({ ...signedCertificate(authority), ...asking }, ({ socket }, response) => {
      shown.push(String((socket as TLSSocket).getPeerCertificate().subject?.CN))
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}')
    })
    const { port, stop } = await listening(server)
    onTestFinished(stop)
    const { desk, place, write, doctor } = await openManagedDesk({})
    const computer = signedCertificate(authority, { host: 'desktop.test', commonName: 'Desktop of ana' })
    const [certFile, keyFile] = [place('pc.pem', computer.cert), place('pc.key', computer.key)]
    const caFiles = [place('ca.pem', authority.cert)]
    const baseAddress = `https://127.0.0.1:${port}`
    const tls = { caFiles, clientCertificate: { certFile, keyFile } }
    write({ baseAddress, tls })
    const { printed, code } = await doctor()
    expect(printed).toContain(`The certificate of 127.0.0.1:${port} is trusted`)
    expect(printed).toMatch(/^ok +service .*HTTP 401/m)
    expect([code, shown]).toEqual([0, ['Desktop of ana']])

    // Now the same address comes from the user's settings instead of the policy file.
    write({ tls })
    const settings = path.join(desk.dataFolder, 'config.json')
    writeFileSync(settings, JSON.stringify({ connection: { baseAddress } }), { mode: 0o600 })
    own(settings)
    expect((await doctor()).printed).toMatch(/^FAILED +service .*an encrypted connection could not be established/m)
    expect(shown).toEqual(['Desktop of ana'])
  })

  it('SECURITY: a certificate authority in a file that other users can write is reported and not trusted', async () => {
    const tls = selfSignedCertificate({ host: 'localhost' })
    const service = await startDemoService({ tls })
    onTestFinished(() => service.stop())
    const { desk, write, place } = await openManagedDesk({})
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
        expect.stringContaining('/etc/latchkey/none.pem (/etc/latchkey/policy.json, line 1) can’t be read'),
        expect.stringContaining('/etc/latchkey/text.pem (/etc/latchkey/policy.json, line 1) is damaged'),
      ])
  })
})
