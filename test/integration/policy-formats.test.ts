/** A policy means the same in each format. test/wine/policy.test.ts tests the registry itself. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsePolicy } from '../../main/settings/policy.ts'
import { parsePreferences, parseRegistryPolicy } from '../../main/settings/policy-places.ts'
import { propertyList, registryFile } from '../../scripts/docs/policy-templates.ts'
import { anyPolicy, plainly } from '../support/any-policy.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { requireProgram, run } from './cli/programs.ts'

const asJson = (policy: unknown) => plainly(parsePolicy('policy.json', JSON.stringify(policy)))

it('any policy gives the same settings as JSON and as a registry file', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      const json = asJson(policy)
      expect(json).toMatchObject({ wrong: 0 })
      expect(plainly(parseRegistryPolicy('policy.reg', registryFile(policy)))).toEqual(json)
    }),
    { numRuns: 300 },
  )
})

/** Does what `plutil -convert json` does on macOS. */
const TO_JSON =
  'import json, plistlib, sys\nfor f in sys.argv[1:]: json.dump(plistlib.load(open(f, "rb")), open(f + ".json", "w"))'

it('any policy gives the same settings as JSON and as a property list', async () => {
  const folder = temporaryFolder()
  const policies = fc.sample(anyPolicy, 200)
  const files = policies.map((_, index) => path.join(folder, `${index}.plist`))
  for (const [index, file] of files.entries()) writeFileSync(file, propertyList(policies[index] ?? {}))
  const { code } = await run([requireProgram('python3'), '-c', TO_JSON, ...files], { cwd: folder })
  expect(code).toBe(0)
  const read = files.map((file) => plainly(parsePreferences(readFileSync(`${file}.json`, 'utf8'))))
  expect(read).toEqual(policies.map(asJson))
})
