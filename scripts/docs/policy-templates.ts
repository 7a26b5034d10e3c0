import { KINDS, type Limits } from '../../contract/setting-rows.ts'
import { isStructure, SETTING_NAMES, SETTINGS, type SettingName } from '../../contract/settings.ts'
import texts from '../../docs/developers/policy-texts.json' with { type: 'json' }
import words from '../../docs/developers/settings.json' with { type: 'json' }
import { BUNDLE_ID } from '../../main/settings/policy-places.ts'

/**
 * The administrators' templates: ADMX and ADML (Microsoft: Group Policy ADMX Syntax Reference Guide), a configuration
 * profile (Apple: Profile-Specific Payload Keys), and a registry file. They contain only what Intune can import: our
 * own keys below Software\Policies, no reference to Windows.admx, and text values of at most 1,023 characters.
 */

type Language = keyof typeof texts
type Policy = Readonly<Record<string, unknown>>

const KEY = 'SOFTWARE\\Policies\\Latchkey'
const LONGEST_TEXT = 1023
const FOLDERS: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' }
const LANGUAGES = Object.keys(FOLDERS) as Language[]

/** `isText`: `connections` and `tls` are JSON text in the format, as the explanation then says. */
function explained(name: SettingName, language: Language, isText = true): string {
  const all: { hints: Record<string, string> } & Partial<Record<SettingName, string>> = texts[language]
  const { hints, ...own } = all
  const english = isStructure(name) ? words[name].schema : words.values[name].schema
  const text = language === 'en' ? english : own[name]
  if (text === undefined) throw new Error(`docs/developers/policy-texts.json has no text about ${name} in ${language}.`)
  return [text, ...(hints[name] === undefined || !isText ? [] : [hints[name]])].join(' ')
}

const XML = '<?xml version="1.0" encoding="utf-8"?>\n'
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A value's element in the ADMX, and its input in the ADML; `undefined` for a switch, which has neither. */
function inputOf(name: SettingName): { element: string; input: string; choices?: readonly string[] } | undefined {
  const { kind } = SETTINGS[name]
  const attributes = `id="${name}" valueName="${name}" required="true"`
  const label = `refId="${name}">${name}`
  switch (kind) {
    case 'switch':
      return undefined
    case 'connections':
      return {
        element: `<list id="${name}" key="${KEY}\\${name}" explicitValue="true" />`,
        input: `<listBox ${label}</listBox>`,
      }
    case 'port':
      return {
        element: `<decimal ${attributes} minValue="${KINDS.port.minimum}" maxValue="${KINDS.port.maximum}" />`,
        input: `<decimalTextBox ${label}</decimalTextBox>`,
      }
    case 'flow':
    case 'methods': {
      const choices = KINDS[kind].enum
      const items = choices.map(
        (each) =>
          `<item displayName="$(string.${resource(name, each)})"><value><string>${each}</string></value></item>`,
      )
      return {
        element: `<enum ${attributes}>${items.join('')}</enum>`,
        input: `<dropdownList refId="${name}" noSort="true">${name}</dropdownList>`,
        choices,
      }
    }
    default: {
      const limits: Limits | undefined = kind === 'tls' ? undefined : KINDS[kind]
      return {
        element: `<text ${attributes} maxLength="${Math.min(LONGEST_TEXT, limits?.maxLength ?? LONGEST_TEXT)}" />`,
        input: `<textBox refId="${name}"><label>${name}</label></textBox>`,
      }
    }
  }
}

const resource = (name: string, part: string) => `${name}_${part.replaceAll('-', '_')}`

function admx() {
  const policies = SETTING_NAMES.map((name) => {
    const input = inputOf(name)
    const texts = `displayName="$(string.${name})" explainText="$(string.${resource(name, 'about')})"`
    const value = input ? ` presentation="$(presentation.${name})"` : ` valueName="${name}"`
    const content = input
      ? `<elements>${input.element}</elements>`
      : '<enabledValue><decimal value="1" /></enabledValue>\n      <disabledValue><decimal value="0" /></disabledValue>'
    return `    <policy name="${name}" class="Machine" ${texts} key="${KEY}"${value}>
      <parentCategory ref="Latchkey" />
      <supportedOn ref="supported" />
      ${content}
    </policy>
`
  })
  return `${XML}<policyDefinitions revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <policyNamespaces>
    <target prefix="latchkey" namespace="Latchkey.Policies" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" />
  <supportedOn>
    <definitions>
      <definition name="supported" displayName="$(string.supported)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="Latchkey" displayName="$(string.category)" />
  </categories>
  <policies>
${policies.join('')}  </policies>
</policyDefinitions>
`
}

/** In every language, a policy's name is its key, such as `baseAddress`. */
function adml(language: Language): string {
  const string = (id: string, text: string) => `      <string id="${id}">${escaped(text)}</string>\n`
  const strings = SETTING_NAMES.flatMap((name) => [
    string(name, name),
    string(resource(name, 'about'), explained(name, language)),
    ...(inputOf(name)?.choices ?? []).map((each) => string(resource(name, each), each)),
  ])
  const presentations = SETTING_NAMES.flatMap((name) => {
    const input = inputOf(name)?.input
    return input ? [`      <presentation id="${name}">${input}</presentation>\n`] : []
  })
  return `${XML}<policyDefinitionResources revision="1.0" schemaVersion="1.0" xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions">
  <displayName>Latchkey</displayName>
  <description>Latchkey</description>
  <resources>
    <stringTable>
      <string id="category">Latchkey</string>
${string('supported', texts[language].hints.supported)}${strings.join('')}    </stringTable>
    <presentationTable>
${presentations.join('')}    </presentationTable>
  </resources>
</policyDefinitionResources>
`
}

function example(name: SettingName, system: 'posix' | 'windows' = 'posix'): unknown {
  if (name === 'connections') return words.connections.examples[0]
  if (name === 'tls') return { caFiles: words.tls.parts.caFiles.examples[system === 'posix' ? 0 : 1] }
  const { kind, default: value } = SETTINGS[name]
  const about = words.values[name]
  const [first] = 'examples' in about ? about.examples : []
  return first ?? value ?? (kind === 'switch' ? false : `put ${name} here`)
}

const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

function registryValue(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number')
    return `dword:${Number(value).toString(16).padStart(8, '0')}`
  return quoted(typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value))
}

const REGISTRY_HEAD = 'Windows Registry Editor Version 5.00'

function registryLines({ connections, ...rest }: Policy): readonly string[] {
  const others = Object.entries(connections ?? {})
  const values = Object.entries({ ...rest, ...(connections !== undefined && others.length === 0 && { connections }) })
  const lines = (each: readonly [string, unknown][]) =>
    each.map(([name, value]) => `${quoted(name)}=${registryValue(value)}`)
  const section = `[HKEY_LOCAL_MACHINE\\${KEY}\\connections]`
  return [
    ...[`[HKEY_LOCAL_MACHINE\\${KEY}]`, ...lines(values)],
    ...(others.length === 0 ? [] : ['', section, ...lines(others)]),
  ]
}

export const registryFile = (policy: Policy) => `${[REGISTRY_HEAD, '', ...registryLines(policy), ''].join('\r\n')}`

function plistValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>'
  if (typeof value === 'number') return `<integer>${value}</integer>`
  if (value === null) return '<string></string>'
  if (Array.isArray(value)) return `<array>${value.map(plistValue).join('')}</array>`
  return typeof value === 'object'
    ? `<dict>${plistEntries(value).join('')}</dict>`
    : `<string>${escaped(`${value}`)}</string>`
}

const plistEntries = (values: object) =>
  Object.entries(values).map(([name, value]) => `<key>${escaped(name)}</key>${plistValue(value)}`)

const PLIST_HEAD = `${XML}<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n`

export const propertyList = (policy: Policy) => `${PLIST_HEAD}<plist version="1.0">${plistValue(policy)}</plist>\n`

/** The samples set only this value; the others are in comments. */
const SET = 'baseAddress'

function sampleRegistryFile() {
  const policy = Object.fromEntries(SETTING_NAMES.map((name) => [name, example(name, 'windows')]))
  const lines = registryLines(policy).flatMap((line, index) => {
    const name = SETTING_NAMES.find((each) => line.startsWith(`"${each}"=`) || line.endsWith(`\\${each}]`))
    const about = name === undefined ? [] : ['', `; ${ascii(explained(name, 'en'))}`]
    return line === '' ? [] : [...about, name === SET || index === 0 ? line : `;${line}`]
  })
  return [REGISTRY_HEAD, '', '; Remove the semicolon in front of a value to set it.', '', ...lines, ''].join('\r\n')
}

/** The registry file has no byte order mark, so it may contain only ASCII: Windows reads it in the system's code page. */
const ascii = (text: string) => text.replaceAll('’', "'")

function sampleProfile() {
  const payload = (id: string, uuid: string, type: string) => [
    `<key>PayloadDisplayName</key><string>Latchkey</string>`,
    `<key>PayloadIdentifier</key><string>${id}</string>`,
    `<key>PayloadType</key><string>${type}</string>`,
    `<key>PayloadUUID</key><string>${uuid}</string>`,
    `<key>PayloadVersion</key><integer>1</integer>`,
  ]
  const values = SETTING_NAMES.flatMap((name) => {
    const [entry = ''] = plistEntries({ [name]: example(name) })
    return [
      `<!-- ${explained(name, 'en', false).replaceAll(/ \(latchkey [^)]*\)/g, '')} -->`,
      name === SET ? entry : `<!-- ${entry} -->`,
    ]
  })
  const indented = (depth: number, lines: readonly string[]) =>
    lines.map((line) => `${'  '.repeat(depth)}${line}\n`).join('')
  // The UUIDs never change, so that a new version of the profile replaces the old one.
  return `${PLIST_HEAD}<plist version="1.0">
<dict>
${indented(1, payload(`${BUNDLE_ID}.profile`, '5C2D0F0E-6B1C-4A0D-9C57-3B1C0C9A7E01', 'Configuration'))}  <key>PayloadScope</key><string>System</string>
  <key>PayloadContent</key>
  <array>
    <dict>
${indented(3, payload(`${BUNDLE_ID}.settings`, '5C2D0F0E-6B1C-4A0D-9C57-3B1C0C9A7E02', BUNDLE_ID))}
      <!-- To set a value, remove the comment marks around it. -->
${indented(3, values)}    </dict>
  </array>
</dict>
</plist>
`
}

/** The templates, by their paths in docs/administrators/policies. */
export const policyTemplates = (): Readonly<Record<string, string>> => ({
  'latchkey.admx': admx(),
  ...Object.fromEntries(LANGUAGES.map((each) => [`${FOLDERS[each]}/latchkey.adml`, adml(each)])),
  'latchkey.mobileconfig': sampleProfile(),
  'latchkey.reg': sampleRegistryFile(),
})
