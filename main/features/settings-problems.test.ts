import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { loadTexts } from '../../text/index.ts'
import { Listeners } from '../base/listeners.ts'
import type { SettingsProblem } from '../settings/problems.ts'
import { SettingsProblems } from './settings-problems.ts'

const DAMAGED: SettingsProblem = { source: 'user', where: 'config.json', problem: 'damaged' }
const UNUSABLE: SettingsProblem = { source: 'environment', where: 'HTTPS_PROXY', problem: 'unusable' }

it('settings problems are shown at once, and the network is checked at the start and when the policy changes', async () => {
  const texts = await loadTexts('en')
  let network: readonly SettingsProblem[] = []
  const policyChanges = new Listeners()
  const problems = new SettingsProblems({
    settings: () => [DAMAGED],
    network: async () => network,
    onPolicyChange: policyChanges.subscribe,
    losesClientSecret: () => true,
    isSandboxed: false,
    texts,
    log: () => {},
    changed: () => {},
  })
  const { noSandbox, losesClientSecret } = texts.desktop
  const notices = () => problems.view().notices
  const own = [noSandbox, expect.stringContaining('config.json')]
  await problems.start()
  expect(notices()).toEqual([...own, losesClientSecret])
  network = [UNUSABLE]
  policyChanges.tell()
  await settle()
  expect(notices()).toEqual([...own, expect.stringContaining('HTTPS_PROXY'), losesClientSecret])
})
