import { CONNECTION_NAME, DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { KINDS, type Limits, TLS_KINDS, type ValueKind } from '../../contract/setting-rows.ts'
import {
  isStructure,
  mayBeNull,
  SETTING_FIELDS,
  SETTING_NAMES,
  SETTINGS,
  type StructureName,
  type ValueName,
} from '../../contract/settings.ts'
import words from '../../docs/developers/settings.json' with { type: 'json' }

type Schema = Record<string, unknown>

const PORT_AND_PATH = '(:\\d{1,5})?(/[^\\s?#]*)?\\s*$'
const NOT_BLANK = { pattern: '\\S' }

/** What editors check besides the limits: an approximation of what the program's parser accepts. */
const PATTERNS: { readonly [K in ValueKind]?: Schema } = {
  address: {
    anyOf: [
      {
        title: 'https, which may be left out',
        pattern: `^\\s*([Hh][Tt][Tt][Pp][Ss]://|(?!.*://))([^\\s/?#@:\\[\\]]+|\\[[0-9A-Fa-f:.]+\\])${PORT_AND_PATH}`,
      },
      {
        title: 'http to this computer itself, for trying things out',
        pattern: `^\\s*[Hh][Tt][Tt][Pp]://(localhost|127(\\.\\d{1,3}){3}|\\[::1\\])${PORT_AND_PATH}`,
      },
    ],
  },
  domain: { pattern: '^\\s*[A-Za-z0-9.-]+(:\\d{1,5})?\\s*$' },
  label: NOT_BLANK,
  text: NOT_BLANK,
}

const FILE = { $ref: '#/definitions/file' }
const PASSPHRASE = { $ref: '#/definitions/passphrase' }

const object = (properties: Record<string, Schema>, required?: readonly string[]): Schema => ({
  type: 'object',
  additionalProperties: false,
  ...(required && { required }),
  properties,
})

interface Words {
  readonly page: string
  readonly schema: string
  readonly examples?: readonly unknown[]
}

const TLS = words.tls
/** The texts about each setting. The type check fails if one is missing. */
const WORDS: Record<ValueName, Words> = words.values

const described = ({ schema, examples }: Words): Schema => ({ description: schema, ...(examples && { examples }) })

function value(name: ValueName): Schema {
  const { kind, default: value } = SETTINGS[name]
  const { type, enum: values, ...rest }: Limits = KINDS[kind]
  return {
    type: mayBeNull(name) ? [type, 'null'] : type,
    ...(values && { enum: mayBeNull(name) ? [...values, null] : values }),
    ...rest,
    ...PATTERNS[kind],
    ...described(WORDS[name]),
    ...(value !== undefined && { default: value }),
  }
}

const STRUCTURES: Record<StructureName, Schema> = {
  connections: {
    type: 'object',
    propertyNames: { pattern: CONNECTION_NAME.source.replace('^', `^(?!(?:${DEFAULT_CONNECTION}|constructor)$)`) },
    additionalProperties: { $ref: '#/definitions/connection' },
    ...described(words.connections),
  },
  tls: {
    ...object({
      caFiles: { type: 'array', items: FILE, ...described(TLS.parts.caFiles) },
      clientCertificate: {
        ...described(TLS.parts.clientCertificate),
        anyOf: [
          {
            title: 'PEM files',
            ...object({ certFile: FILE, keyFile: FILE, passphrase: PASSPHRASE }, ['certFile', 'keyFile']),
          },
          {
            title: 'one file of PKCS #12',
            ...object({ pfxFile: FILE, passphrase: PASSPHRASE }, ['pfxFile']),
          },
        ],
      },
    }),
    description: TLS.schema,
  },
}

export const policySchema = () => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: "Latchkey's policy file",
  description:
    'What an administrator sets for every user of a computer: /etc/latchkey/policy.json on Linux, /Library/Application Support/Latchkey/policy.json on macOS, %ProgramFiles%\\Latchkey\\policy.json on Windows. Every value is optional; one that is set is locked in the window. null locks a value of a connection as empty.',
  type: 'object',
  additionalProperties: false,
  definitions: {
    file: { ...TLS_KINDS.file, description: 'An absolute path.' },
    passphrase: {
      ...TLS_KINDS.passphrase,
      description: 'What the key is locked with. Every user of the computer can read this file.',
    },
    connection: object(Object.fromEntries(SETTING_FIELDS.map((name) => [name, { $ref: `#/properties/${name}` }]))),
  },
  properties: {
    $schema: { description: 'Where this schema is, for editors.' },
    ...Object.fromEntries(SETTING_NAMES.map((name) => [name, isStructure(name) ? STRUCTURES[name] : value(name)])),
  },
})
