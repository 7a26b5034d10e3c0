import * as fc from 'fast-check'
import { FLOWS, GATEWAY_METHODS, type ValueKind } from '../../contract/setting-rows.ts'
import { mayBeNull, SETTING_FIELDS, SETTING_NAMES, SETTINGS, type ValueName } from '../../contract/settings.ts'
import { Secret } from '../../main/base/secret.ts'
import type { PolicyReading } from '../../main/settings/policy.ts'

/** Texts that a format could get wrong: quotes, backslashes, markup, several scripts. */
const text = fc
  .string({ unit: fc.constantFrom(...'aZ0 "\\\'<>&;=[]{}@,ü€漢🗝%$#'), minLength: 1, maxLength: 20 })
  .filter((each) => each.trim() !== '')

const KINDS: { readonly [K in ValueKind]: fc.Arbitrary<unknown> } = {
  address: fc.constantFrom('https://data.example.com', 'https://login.example.com:8443/tenant', 'http://127.0.0.1:1'),
  domain: fc.constant('login.example.com'),
  label: text,
  text,
  flow: fc.constantFrom(...FLOWS),
  methods: fc.constantFrom(...GATEWAY_METHODS),
  port: fc.integer({ min: 1024, max: 65_535 }),
  secret: text,
  switch: fc.boolean(),
}

const anyValue = (name: ValueName) =>
  mayBeNull(name) ? fc.option(KINDS[SETTINGS[name].kind], { freq: 6 }) : KINDS[SETTINGS[name].kind]

const connection = fc.record(Object.fromEntries(SETTING_FIELDS.map((name) => [name, anyValue(name)])), {
  requiredKeys: [],
})

const STRUCTURES = {
  connections: fc.dictionary(fc.constantFrom('staging', 'trial_2', 'x'), connection, { noNullPrototype: true }),
  tls: fc.constantFrom(
    {},
    { caFiles: ['C:\\Program Files\\ca.pem', '/etc/ca.pem'] },
    { clientCertificate: { pfxFile: '\\\\server\\pc.p12', passphrase: 'a"b\\c' } },
  ),
}

export const anyPolicy = fc.record(
  Object.fromEntries(
    SETTING_NAMES.map((name) => [name, name in STRUCTURES ? STRUCTURES[name as 'tls'] : anyValue(name as ValueName)]),
  ),
  { requiredKeys: [] },
)

/** The values with secrets in plain text, so that two readings can be compared. */
export function plainly({ layer, connections, app, tls, problems }: PolicyReading): unknown {
  // A secret's `toJSON` hides it before the replacer sees it, so this looks at the object that has the secret.
  function reveal(this: Record<string, unknown>, key: string, value: unknown) {
    const original = this[key]
    return original instanceof Secret ? original.reveal() : value
  }
  const values = {
    layer,
    app,
    tls,
    connections: connections && Object.fromEntries(connections),
    wrong: problems.length,
  }
  return JSON.parse(JSON.stringify(values, reveal))
}
