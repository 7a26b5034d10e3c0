import { expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { loadTexts } from '../../text/index.ts'
import { Listeners } from '../base/listeners.ts'
import type { SettingsProblem } from '../settings/problems.ts'
import { SettingsProblems } from './settings-problems.ts'

it('after a policy change, the notices show the network’s new problems, even if an earlier check takes longer', async () => {
  const policyChanges = new Listeners()
  let now: readonly SettingsProblem[] = []
  const checks: (() => void)[] = []
  const problems = new SettingsProblems({
    settings: () => [],
    network: () => {
      const found = now
      return new Promise((resolve) => checks.push(() => resolve(found)))
    },
    onPolicyChange: policyChanges.subscribe,
    losesClientSecret: () => false,
    isSandboxed: true,
    texts: await loadTexts('en'),
    log: () => {},
    changed: () => {},
  })
  void problems.start()
  await settle()
  now = [{ source: 'environment', where: 'HTTPS_PROXY', problem: 'unusable' }]
  policyChanges.tell()
  await settle()
  for (let end = checks.pop(); end !== undefined; end = checks.pop()) {
    end()
    await settle()
  }
  expect(problems.view().notices).toEqual([expect.stringContaining('HTTPS_PROXY')])
})
