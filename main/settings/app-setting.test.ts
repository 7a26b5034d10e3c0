import { expect, it } from 'vitest'
import { AppSettings } from './app-setting.ts'
import type { AppLayer } from './layers.ts'

function open({ policy = {}, environment = {}, own = {} }: Record<string, AppLayer> = {}) {
  const world = { policy, own }
  const settings = new AppSettings({
    policy: () => world.policy,
    environment,
    user: {
      get app() {
        return { layer: world.own }
      },
      saveApp: (name, value) => {
        world.own = { ...world.own, [name]: value }
      },
    },
  })
  return { settings, world }
}

it.each<[boolean, string | undefined, Record<string, AppLayer>]>([
  [true, undefined, {}],
  [false, 'user', { own: { agent: false } }],
  [false, 'environment', { environment: { agent: false }, own: { agent: true } }],
  [true, 'policy', { policy: { agent: true }, environment: { agent: false }, own: { agent: false } }],
])('a setting is %s, set by %s, if the sources are %j', (value, source, sources) => {
  expect(open(sources).settings.of('agent')).toMatchObject({ value, source })
})

it('a setting without a default has no value if no source sets it', () => {
  expect(open().settings.of('updateFeed')).toMatchObject({ value: undefined, source: undefined })
})

it('a setting follows a later change of the policy', () => {
  const { settings, world } = open()
  const agent = settings.of('agent')
  world.policy = { agent: false }
  expect(agent).toMatchObject({ value: false, source: 'policy' })
})

it('a value that the user sets is stored and applies', () => {
  const { settings, world } = open()
  const agent = settings.of('agent')
  settings.save('agent', false)
  expect(agent).toMatchObject({ value: false, source: 'user' })
  expect(world.own).toEqual({ agent: false })
})
