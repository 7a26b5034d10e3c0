import { expect, it } from 'vitest'
import { SETTING_NAMES } from '../../contract/settings.ts'
import { parseRegistryPolicy } from '../../main/settings/policy-places.ts'
import { policyTemplates } from './policy-templates.ts'

const templates = policyTemplates()
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '')
const admx = templates['latchkey.admx'] ?? ''
const registryFile = templates['latchkey.reg'] ?? ''

it('latchkey.reg with all values set is a policy with every setting and no problem', () => {
  const text = registryFile.replace(/^;(?! )/gm, '')
  const { layer, app, connections, tls, problems } = parseRegistryPolicy('latchkey.reg', text)
  const names = [...Object.keys({ ...layer, ...app }), ...(connections ? ['connections'] : []), ...(tls ? ['tls'] : [])]
  expect(names.sort()).toEqual([...SETTING_NAMES].sort())
  expect(problems).toEqual([])
  // Only ASCII, so that Windows reads the file in every code page.
  expect(registryFile).toMatch(/^[\r\n\x20-\x7e]*$/)
})

it.each(Object.keys(templates).filter((name) => name.endsWith('.adml')))(
  '%s has exactly the texts and the inputs that the ADMX refers to',
  (name) => {
    const adml = templates[name] ?? ''
    const strings = all(adml, /<string id="(\w+)">/g)
    expect(strings.sort()).toEqual([...new Set(all(admx, /\$\(string\.(\w+)\)/g))].sort())
    expect(all(adml, /<presentation id="(\w+)">/g)).toEqual(all(admx, /\$\(presentation\.(\w+)\)/g))
    expect(all(adml, /refId="(\w+)"/g)).toEqual(all(admx, / id="(\w+)"/g))
  },
)

it('the ADMX contains only what Intune can import', () => {
  expect(new Set(all(admx, / key="([^"]+)"/g))).toEqual(
    new Set(['SOFTWARE\\Policies\\Latchkey', 'SOFTWARE\\Policies\\Latchkey\\connections']),
  )
  expect(Math.max(...all(admx, / maxLength="(\d+)"/g).map(Number))).toBeLessThanOrEqual(1023)
  expect(admx).not.toMatch(/<using|windows:/i)
  expect(new Set(all(admx, / class="(\w+)"/g))).toEqual(new Set(['Machine']))
})
