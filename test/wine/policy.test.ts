/** The policy in a real registry, with Windows' Node and `reg.exe`. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePolicy } from '../../main/settings/policy.ts'
import { REGISTRY_KEY } from '../../main/settings/policy-places.ts'
import { registryFile } from '../../scripts/docs/policy-templates.ts'
import { inProject } from '../../scripts/run/project.mjs'
import { openWine, toWindows, type Wine, windowsTools } from '../../scripts/windows/wine.mjs'
import { anyPolicy, plainly } from '../support/any-policy.ts'

let wine: Wine
let node: string
beforeAll(async () => {
  wine = await openWine()
  node = (await windowsTools()).node
})
afterAll(() => wine?.stop())

const url = (file: string) => `file:///${toWindows(inProject(file)).replaceAll('\\', '/')}`
const READ = `
  const { policyPlaces } = await import('${url('main/settings/policy-places.ts')}')
  const { plainly } = await import('${url('test/support/any-policy.ts')}')
  const [registry] = policyPlaces('C:\\\\none.json', 'win32', process.env)
  console.log(JSON.stringify(plainly(registry.read())))`

async function read(): Promise<unknown> {
  const { code, output } = await wine.run([node, '--no-warnings', '--input-type=module', '-e', READ], { limit: 60_000 })
  expect({ code, output }).toMatchObject({ code: 0 })
  return JSON.parse(output)
}

async function reg(...args: readonly string[]): Promise<void> {
  expect(await wine.run(['reg', ...args])).toMatchObject({ code: 0 })
}

async function importPolicy(policy: Readonly<Record<string, unknown>>): Promise<void> {
  writeFileSync(path.join(wine.drive, 'policy.reg'), Buffer.from(`\ufeff${registryFile(policy)}`, 'utf16le'))
  await reg('import', 'C:\\policy.reg')
}

const NOTHING = { layer: {}, app: {}, wrong: 0 }

test('a registry without Latchkey’s key sets nothing, and a removed value no longer applies', async () => {
  expect(await read()).toEqual(NOTHING)
  await importPolicy({ agent: false, scope: 'openid' })
  await reg('delete', REGISTRY_KEY, '/v', 'agent', '/f')
  expect(await read()).toEqual({ ...NOTHING, layer: { scope: 'openid' } })
  await reg('delete', REGISTRY_KEY, '/f')
  expect(await read()).toEqual(NOTHING)
})

test('any policy gives the same settings in the registry as in JSON', async () => {
  for (const policy of fc.sample(anyPolicy, 6)) {
    await importPolicy(policy)
    expect(await read()).toEqual(plainly(parsePolicy('policy.json', JSON.stringify(policy))))
    await reg('delete', REGISTRY_KEY, '/f')
  }
})
