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

it('a problem of the policy file has its line and key', () => {
  expect(notices('{\n  "scope": 1,\n  "agnet": false\n}')).toEqual([
    expect.stringMatching(/scope \(\/etc\/latchkey\/policy\.json, line 2\)/),
    expect.stringMatching(/agnet \(\/etc\/latchkey\/policy\.json, line 3\)/),
  ])
  expect(notices('{\n  "scope": "openid",\n}')).toEqual([expect.stringMatching(/policy\.json \(line 3, column 1\)/)])
})

it('a problem of a file that the policy names has the key', () => {
  expect(notices('{\n  "tls": {"caFiles": ["ca.pem"]}\n}')).toEqual([
    'The value of tls.caFiles: ca.pem (/etc/latchkey/policy.json, line 2) is invalid and was ignored.',
  ])
})

it('any other problem has the name of its source', () => {
  const problem = { source: 'environment', where: 'LATCHKEY_BASE_URL', problem: 'unusable' } as const
  expect(settingsNotice(problem, texts)).toContain('LATCHKEY_BASE_URL')
})
