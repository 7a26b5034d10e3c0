import { describe, expect, it } from 'vitest'
import { shownVariables } from './shown-variables.ts'

const shown = (name: string, text: string, platform: NodeJS.Platform = 'linux') => {
  const [variable] = shownVariables({ [name]: text }, platform)
  return variable?.value
}

it('only variables that affect the network or the agent’s path are shown', () => {
  const env = { HTTPS_PROXY: 'proxy.test:1', no_proxy: 'a.test', PATH: '/bin', SECRET: 'x', ALL_PROXY: undefined }
  expect(shownVariables(env, 'linux')).toEqual([
    { name: 'HTTPS_PROXY', value: 'proxy.test:1' },
    { name: 'no_proxy', value: 'a.test' },
  ])
})

describe('SECURITY: no text before a proxy’s host is shown', () => {
  it.each([
    'ana:hunter2@proxy.test:1',
    'hunter2@proxy.test:1',
    'http://ana:hun@ter2@proxy.test:1',
    'ana:hun"ter2@proxy.test:1',
    'SOCKS5://ana:hunter2@proxy.test:1',
  ])('%j', (text) => {
    expect(shown('ALL_PROXY', text)).toMatch(/^(\w+:\/\/)?\[secret\]@proxy\.test:1$/)
  })
})

it('SECURITY: no text after a proxy’s port is shown', () => {
  expect(shown('https_proxy', 'http://proxy.test:1/hunter2?hunter2')).toBe('http://proxy.test:1')
})

it.each([
  ['HTTPS_PROXY', 'ana:hunter2'],
  ['http_proxy', 'http://ana:hun\nter2@proxy.test:1'],
  ['ALL_PROXY', `http://ana:${'hunter2'.repeat(1_000)}@proxy.test:1`],
  ['NO_PROXY', 'a.test,http://ana:hunter2@b.test'],
  ['NODE_EXTRA_CA_CERTS', 'https://ana:hunter2@host/ca.pem'],
])('SECURITY: a malformed value is not shown: $0=$1', (name, text) => {
  expect(shownVariables({ [name]: text }, 'linux')).toEqual([{ name }])
})

it.each<[string, string, NodeJS.Platform]>([
  ['https_proxy', 'http://[::1]:3128', 'linux'],
  ['NO_PROXY', 'localhost, .a.test,10.0.0.0/8 [::1] fd00::/8,a.test:8080', 'linux'],
  ['LATCHKEY_SOCKET', 'C:\\Users\\ana\\agent.json', 'win32'],
  ['SSL_CERT_DIR', '/etc/ssl/certs:/opt/ca', 'linux'],
])('a well-formed value is shown whole: %s=%s', (name, text, platform) => {
  expect(shown(name, text, platform)).toBe(text)
})
