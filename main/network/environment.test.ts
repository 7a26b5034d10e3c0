import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Environment, environmentProxy, isExempt, isReadByChromium, unusableVariable } from './environment.ts'

const SERVICE = new URL('https://service.test/auth/login')
const proxyIn = (env: Environment) => environmentProxy(SERVICE, env)

describe('the proxy in the environment', () => {
  // biome-ignore format: a row a line reads as a table
  it.each<[Environment, object | undefined]>([
    [{ HTTPS_PROXY: 'http://a:1' }, { kind: 'http', host: 'a', port: 1 }],
    [{ HTTPS_PROXY: 'a:1' }, { kind: 'http', host: 'a', port: 1 }],
    [{ HTTPS_PROXY: 'https://a' }, { kind: 'https', host: 'a', port: 443 }],
    [{ HTTPS_PROXY: 'socks5h://a' }, { kind: 'socks5', host: 'a', port: 1080 }],
    [{ HTTPS_PROXY: 'http://[::1]:1' }, { kind: 'http', host: '[::1]', port: 1 }],
    [{ https_proxy: 'a:1', HTTPS_PROXY: 'b:2' }, { kind: 'http', host: 'a', port: 1 }],
    [{ all_proxy: 'a:1', HTTPS_PROXY: 'b:2' }, { kind: 'http', host: 'b', port: 2 }],
    [{ https_proxy: '', ALL_PROXY: 'b:2' }, undefined],
    [{ HTTP_PROXY: 'a:1', http_proxy: 'a:1' }, undefined],
    [{ HTTPS_PROXY: 'ftp://a:1' }, undefined],
    [{ HTTPS_PROXY: 'a:1', no_proxy: 'other.test', NO_PROXY: 'service.test' }, { kind: 'http', host: 'a', port: 1 }],
  ])('with the variables %j, is %j', (env, proxy) => {
    expect(proxyIn(env)?.proxy).toEqual(proxy)
  })

  it('has its credentials parsed, and never printed', () => {
    const named = proxyIn({ HTTPS_PROXY: 'http://ana:p%40ss%3Aword@a:1' })
    expect(named?.login?.username).toBe('ana')
    expect(named?.login?.password.reveal()).toBe('p@ss:word')
    expect(`${JSON.stringify(named)}${inspect(named, { depth: 9 })}`).not.toMatch(/ss:word|p%40ss/)
  })

  it.each([
    ['http://ana:p@ss@a:1', 'p@ss'],
    ['http://ana:100%@a:1', '100%'],
    ['http://ana@a:1', ''],
  ])('may have credentials that aren’t percent-encoded: %s', (text, word) => {
    const named = proxyIn({ HTTPS_PROXY: text })
    expect(named?.proxy).toEqual({ kind: 'http', host: 'a', port: 1 })
    expect([named?.login?.username, named?.login?.password.reveal()]).toEqual(['ana', word])
  })
})

it.each<[Environment, string | undefined]>([
  [{}, undefined],
  [{ HTTPS_PROXY: 'a:1' }, undefined],
  [{ HTTPS_PROXY: 'ftp://a:1' }, 'HTTPS_PROXY'],
  [{ https_proxy: 'a:1', ALL_PROXY: '://' }, undefined],
])('in the environment %j, the variable that can’t be used is %s', (env, name) => {
  expect(unusableVariable(env)).toBe(name)
})

const at = (host: string, port: number) => ({ kind: 'http', host, port }) as const
it.each<[Environment, ReturnType<typeof at>]>([
  [{ HTTPS_PROXY: 'socks5://a:1' }, at('a', 1)],
  [{ HTTPS_PROXY: 'socks5h://a' }, at('a', 80)],
  [{ HTTPS_PROXY: 'http://a:1', ALL_PROXY: 'socks5://b:2' }, at('b', 2)],
])('a route that Chromium has read from the environment is recognised by its host and port: %j', (env, proxy) => {
  expect(isReadByChromium(proxy, env)).toBe(true)
  expect(isReadByChromium({ ...proxy, host: 'other' }, env)).toBe(false)
  expect(isReadByChromium({ ...proxy, port: 3 }, env)).toBe(false)
  expect(isReadByChromium({ ...proxy, kind: 'socks5' }, env)).toBe(false)
})

describe('by curl’s rules, NO_PROXY', () => {
  it.each([
    ['service.test', '*'],
    ['service.test.', 'service.test'],
    ['www.service.test', 'service.test'],
    ['service.test', '.service.test'],
    ['service.test', 'a.test service.test'],
    ['10.1.2.3', '10.0.0.0/8'],
    ['[fd00::1]', 'fd00::1'],
    ['[fd00::1]', 'fd00::/8'],
  ])('exempts %s if it lists %s', (host, list) => {
    expect(isExempt(host, list)).toBe(true)
  })

  it.each([
    ['service.test', 'a.test,*'],
    ['service.test', '*.test'],
    ['myservice.test', 'service.test'],
    ['service.test', '.'],
    ['10.1.2.3', '10.0.0.0/33'],
    ['10.1.2.3', 'fd00::/8'],
  ])('doesn’t exempt %s if it lists %j', (host, list) => {
    expect(isExempt(host, list)).toBe(false)
  })
})
