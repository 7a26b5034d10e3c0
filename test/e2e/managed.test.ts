import { expect, it } from 'vitest'
import { OK } from '../../contract/failures.ts'
import { ANA } from '../../demo/users.ts'
import { askAgent, OFF_BY_ADMINISTRATOR, OFF_BY_USER, SERVES } from '../support/ask-agent.ts'
import { call, viewOf } from '../support/calls.ts'
import { openManagedDesktop } from '../support/managed-desktop.ts'
import { POLICY_FILE, rootOnly } from '../support/systems.ts'

it(
  'SECURITY: the policy file turns the agent off and on while the app runs, unless the window or others could change it',
  rootOnly(POLICY_FILE),
  async () => {
    const { desk, write, remove } = await openManagedDesktop({ agent: true, scope: 'openid' })
    const window = await (await desk.start()).open()
    const { page } = window
    const notices = async () => (await viewOf(page)).notices
    const setAgent = (enabled: boolean) => call(page, 'setSwitch', { name: 'agent', enabled })
    await window.signIn(ANA)
    await expect.poll(() => askAgent(desk)).toMatch(SERVES)
    expect((await viewOf(page)).settings.scope).toEqual({ value: 'openid', source: 'policy', place: 'file' })
    write({ agent: false })
    await expect.poll(() => askAgent(desk)).toMatch(OFF_BY_ADMINISTRATOR)
    const refused = { ok: false, failure: { code: 'invalidInput', details: { cause: 'managed' } } }
    await expect(setAgent(true)).resolves.toMatchObject(refused)
    write('{"agent": false,}')
    await expect.poll(notices).toEqual([expect.stringContaining('policy.json (line 1, column 17) is damaged')])
    await expect(askAgent(desk)).resolves.toMatch(OFF_BY_ADMINISTRATOR)

    remove()
    await expect.poll(() => askAgent(desk)).toMatch(SERVES)
    await expect(setAgent(false)).resolves.toEqual(OK)
    await expect(askAgent(desk)).resolves.toMatch(OFF_BY_USER)
    write({ agent: true })
    await expect.poll(() => askAgent(desk)).toMatch(SERVES)

    // A file that other users can write sets and permits nothing.
    write({ agent: true, scope: 'openid' }, 0o666)
    await expect
      .poll(notices)
      .toEqual([
        expect.stringContaining('/etc/latchkey/policy.json'),
        expect.stringContaining('Until /etc/latchkey/policy.json is corrected'),
      ])
    await expect.poll(() => askAgent(desk)).toMatch(OFF_BY_ADMINISTRATOR)
    const { session, settings } = await viewOf(page)
    expect([session.kind, settings.scope]).toEqual(['active', {}])
    expect(desk.service.requests.map(({ operation }) => operation)).toEqual(['login'])
  },
)
