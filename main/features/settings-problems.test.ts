import { beforeEach, expect, it } from 'vitest'
import { settle } from '../../test/support/manual-time.ts'
import { loadTexts } from '../../text/index.ts'
import { Listeners } from '../base/listeners.ts'
import type { SettingsProblem } from '../settings/problems.ts'
import { SettingsProblems } from './settings-problems.ts'

const DAMAGED: SettingsProblem = { source: 'user', where: 'config.json', problem: 'damaged' }
const UNUSABLE: SettingsProblem = { source: 'environment', where: 'HTTPS_PROXY', problem: 'unusable' }

const texts = await loadTexts('en')
let settings: readonly SettingsProblem[]
let network: readonly SettingsProblem[]
let losesClientSecret: boolean
let policyChanges: Listeners
let logged: (readonly SettingsProblem[])[]
let changes: number

beforeEach(() => {
  settings = []
  network = []
  losesClientSecret = false
  policyChanges = new Listeners()
  logged = []
  changes = 0
})

const feature = ({ isSandboxed = true } = {}) =>
  new SettingsProblems({
    settings: () => settings,
    network: async () => network,
    onPolicyChange: policyChanges.subscribe,
    losesClientSecret: () => losesClientSecret,
    isSandboxed,
    texts,
    log: (problems) => logged.push(problems),
    changed: () => {
      changes += 1
    },
  })

it('settings problems are shown at once, and network problems as soon as they are found', async () => {
  settings = [DAMAGED]
  network = [UNUSABLE]
  const problems = feature()
  expect(problems.view().notices).toEqual([expect.stringContaining('config.json')])
  await problems.start()
  expect(problems.view().notices).toEqual([
    expect.stringContaining('config.json'),
    expect.stringContaining('HTTPS_PROXY'),
  ])
  expect(logged).toEqual([[DAMAGED, UNUSABLE]])
  expect(changes).toBe(1)
})

it('the network is checked again when the policy changes, until the feature stops', async () => {
  const problems = feature()
  await problems.start()
  network = [UNUSABLE]
  policyChanges.tell()
  await settle()
  expect(problems.view().notices).toHaveLength(1)
  problems.stop()
  network = []
  policyChanges.tell()
  await settle()
  expect(problems.view().notices).toHaveLength(1)
  expect(logged).toHaveLength(2)
})

it('a notice warns if quitting would lose the client secret, and another if the sandbox is off', () => {
  losesClientSecret = true
  expect(feature({ isSandboxed: false }).view().notices).toEqual([
    texts.desktop.noSandbox,
    texts.desktop.losesClientSecret,
  ])
})
