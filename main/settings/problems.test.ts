import { beforeAll, expect, it } from 'vitest'
import { loadTexts, type Texts } from '../../text/index.ts'
import { parsePolicy } from './policy.ts'
import { settingsNotice } from './problems.ts'

let texts: Texts
beforeAll(async () => {
  texts = await loadTexts('en')
})
const notices = (content: string) =>
  parsePolicy('/etc/latchkey/policy.json', content).problems.map((problem) => settingsNotice(problem, texts))

it('the notice of a problem in the policy file names the line and the key', () => {
  expect(notices('{\n  "scope": 1,\n  "agnet": false\n}')).toEqual([
    expect.stringMatching(/scope \(\/etc\/latchkey\/policy\.json, line 2\)/),
    expect.stringMatching(/agnet \(\/etc\/latchkey\/policy\.json, line 3\)/),
  ])
  expect(notices('{\n  "scope": "openid",\n}')).toEqual([
    '/etc/latchkey/policy.json (line 3, column 1) is damaged and was ignored. There’s a comma before }: remove it.',
    expect.stringMatching(/^Until \/etc\/latchkey\/policy\.json is corrected, tools get no tokens/),
  ])
})

it('the notice of an unusable certificate file names its key in the policy', () => {
  expect(notices('{\n  "tls": {"caFiles": ["ca.pem"]}\n}')).toEqual([
    'The value of tls.caFiles: ca.pem (/etc/latchkey/policy.json, line 2) is invalid and was ignored. It must be a list of absolute paths, in [ and ].',
  ])
})

it('the notice of an unusable variable names the variable', () => {
  const problem = { source: 'environment', where: 'LATCHKEY_BASE_URL', problem: 'unusable' } as const
  expect(settingsNotice(problem, texts)).toContain('LATCHKEY_BASE_URL')
})
