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
  let [isSandboxed, losesClientSecret] = [true, false]
  const policyChanges = new Listeners()
  const logged: (readonly SettingsProblem[])[] = []
  const problems = new SettingsProblems({
    settings: () => [DAMAGED],
    network: async () => network,
    onPolicyChange: policyChanges.subscribe,
    losesClientSecret: () => losesClientSecret,
    get isSandboxed() {
      return isSandboxed
    },
    texts,
    log: (found) => logged.push(found),
    changed: () => {},
  })
  const notices = () => problems.view().notices
  const damaged = expect.stringContaining('config.json')
  expect(notices()).toEqual([damaged])
  await problems.start()
  network = [UNUSABLE]
  policyChanges.tell()
  await settle()
  expect(notices()).toEqual([damaged, expect.stringContaining('HTTPS_PROXY')])
  problems.stop()
  network = []
  policyChanges.tell()
  await settle()
  expect(notices()).toHaveLength(2)
  expect(logged).toEqual([[DAMAGED], [DAMAGED, UNUSABLE]])
  isSandboxed = false
  losesClientSecret = true
  expect(notices()).toEqual(expect.arrayContaining([texts.desktop.noSandbox, texts.desktop.losesClientSecret]))
})
