import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { takeVariables } from './environment.ts'
import { readEnvironment } from './layers.ts'

describe('readEnvironment', () => {
  it('removes the client secret from the environment, and prints it as [secret]', () => {
    const env: Record<string, string | undefined> = { LATCHKEY_SSO_CLIENT_SECRET: 'hush-hush', PATH: '/bin' }
    const { layer } = readEnvironment(takeVariables(env))
    expect(env).toEqual({ PATH: '/bin' })
    expect(layer.clientSecret?.reveal()).toBe('hush-hush')
    expect(inspect(layer) + JSON.stringify(layer)).not.toContain('hush')
  })

  it('reports a variable that can’t be used, and keeps the other variables', () => {
    const { layer, problems } = readEnvironment({
      LATCHKEY_BASE_URL: 'http://data.example.com',
      LATCHKEY_SSO_SCOPE: 'openid',
    })
    expect(layer).toEqual({ scope: 'openid' })
    expect(problems).toEqual([
      { source: 'environment', where: 'LATCHKEY_BASE_URL', problem: 'unusable', defect: { kind: 'notHttps' } },
    ])
  })
})
