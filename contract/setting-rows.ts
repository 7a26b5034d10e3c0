export const FLOWS = ['password-realm', 'browser'] as const
export type Flow = (typeof FLOWS)[number]

/** `read`: the gateway accepts only GET and HEAD requests. */
export const GATEWAY_METHODS = ['read', 'all'] as const
export type GatewayMethods = (typeof GATEWAY_METHODS)[number]

export const GATEWAY_USERNAME = 'latchkey'

/** The longest value of any setting, in UTF-16 code units. */
export const LONGEST_VALUE = 2048

/** The limits of a value, as keywords of JSON Schema. */
export interface Limits {
  readonly type: 'string' | 'integer' | 'boolean'
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  /** SECURITY: a secret has no pattern, because `RegExp.input` would keep the secret. */
  readonly pattern?: string
}

/** The parser (`main/settings/values.ts`) and the policy file's schema check these limits. */
export const KINDS = {
  address: { type: 'string', maxLength: LONGEST_VALUE },
  domain: { type: 'string', maxLength: LONGEST_VALUE },
  label: { type: 'string', maxLength: 60 },
  text: { type: 'string', maxLength: LONGEST_VALUE },
  flow: { type: 'string', enum: FLOWS },
  methods: { type: 'string', enum: GATEWAY_METHODS },
  // Lower ports are reserved for the system.
  port: { type: 'integer', minimum: 1024, maximum: 65_535 },
  secret: { type: 'string', minLength: 1, maxLength: LONGEST_VALUE },
  switch: { type: 'boolean' },
} as const satisfies Record<string, Limits>
export type ValueKind = keyof typeof KINDS

export const TLS_KINDS = {
  // An absolute path: POSIX, or on Windows with a drive or a share.
  file: { type: 'string', maxLength: LONGEST_VALUE, pattern: String.raw`^(?:/|[A-Za-z]:[\\/]|\\\\)` },
  passphrase: { type: 'string', maxLength: LONGEST_VALUE },
} as const satisfies Record<string, Limits>

/** A setting with several values and its own parser. Only the policy file can contain one. */
export type StructureKind = 'connections' | 'tls'

export type SettingRow = {
  /** The environment variable that sets the value for the app or its default connection. */
  readonly variable: `LATCHKEY_${string}` | undefined
  /** The flow that uses the value. Only values for the identity provider have this field. */
  readonly usedBy?: Flow | 'both'
  /** SECURITY: replaces an unusable value, so that a mistyped value doesn't permit what the administrator forbids. */
  readonly whenWrong?: false | string
} & ( // `default` applies if no source sets a value. `user`: where users' own values are stored, if they can set them.
  | { readonly kind: 'switch'; readonly default: boolean; readonly user: 'settings' }
  // `desktop`: the desktop stores the switch, so it is always either on or off.
  | { readonly kind: 'switch'; readonly default: boolean | undefined; readonly user: 'desktop' | undefined }
  | {
      readonly kind: Exclude<ValueKind, 'switch' | 'secret'>
      readonly default: string | undefined
      readonly user: 'settings' | undefined
    }
  // SECURITY: with this type, no secret can be stored in the settings file.
  | { readonly kind: 'secret'; readonly default: undefined; readonly user: 'keychain' | undefined }
  | { readonly kind: StructureKind; readonly default: undefined; readonly user: undefined }
)

// The policy can set all settings. The window and the documentation list them in this order.

const OF_USER = { default: undefined, user: 'settings' } as const
const OF_POLICY = { variable: undefined, user: undefined } as const

export const CONNECTION_ROWS = {
  baseAddress: { ...OF_USER, kind: 'address', variable: 'LATCHKEY_BASE_URL' },
  displayName: { ...OF_USER, kind: 'label', variable: 'LATCHKEY_DISPLAY_NAME' },
  authUrl: { ...OF_USER, kind: 'address', usedBy: 'both', variable: 'LATCHKEY_AUTH_URL' },
  flow: { ...OF_USER, kind: 'flow', usedBy: 'both', default: 'password-realm', variable: 'LATCHKEY_SSO_FLOW' },
  providerDomain: { ...OF_USER, kind: 'domain', usedBy: 'password-realm', variable: 'LATCHKEY_SSO_PROVIDER_DOMAIN' },
  realm: {
    ...OF_USER,
    kind: 'text',
    usedBy: 'password-realm',
    default: 'Username-Password-Authentication',
    variable: 'LATCHKEY_SSO_REALM',
  },
  scope: { ...OF_USER, kind: 'text', usedBy: 'both', variable: 'LATCHKEY_SSO_SCOPE' },
  audience: { ...OF_USER, kind: 'text', usedBy: 'both', variable: 'LATCHKEY_SSO_AUDIENCE' },
  clientId: { ...OF_USER, kind: 'text', usedBy: 'both', variable: 'LATCHKEY_SSO_CLIENT_ID' },
  clientSecret: {
    ...OF_USER,
    kind: 'secret',
    usedBy: 'both',
    variable: 'LATCHKEY_SSO_CLIENT_SECRET',
    user: 'keychain',
  },
  redirectPort: { ...OF_USER, kind: 'port', usedBy: 'browser', variable: 'LATCHKEY_SSO_REDIRECT_PORT' },
  resource: { ...OF_USER, kind: 'text', usedBy: 'browser', variable: 'LATCHKEY_SSO_RESOURCE' },
  prompt: { ...OF_USER, kind: 'text', usedBy: 'browser', variable: 'LATCHKEY_SSO_PROMPT' },
  // The client libraries send the token to this address, too.
  dataAddress: { ...OF_USER, kind: 'address', variable: 'LATCHKEY_DATA_ADDRESS' },
  gateway: { ...OF_USER, kind: 'switch', default: false, variable: 'LATCHKEY_GATEWAY', whenWrong: false },
  gatewayPort: { ...OF_USER, kind: 'port', variable: 'LATCHKEY_GATEWAY_PORT' },
  gatewayMethods: {
    ...OF_USER,
    kind: 'methods',
    default: 'read',
    variable: 'LATCHKEY_GATEWAY_METHODS',
    whenWrong: 'read',
  },
} as const satisfies Record<string, SettingRow>

export const APP_ROWS = {
  connections: { ...OF_POLICY, kind: 'connections', default: undefined },
  userConnections: {
    ...OF_POLICY,
    kind: 'switch',
    default: undefined,
    variable: 'LATCHKEY_USER_CONNECTIONS',
    whenWrong: false,
  },
  agent: { kind: 'switch', default: true, variable: undefined, user: 'settings', whenWrong: false },
  mcp: { ...OF_POLICY, kind: 'switch', default: true, whenWrong: false },
  // SECURITY: users can't set this, because the access token is sent to these addresses.
  mcpServers: { ...OF_POLICY, kind: 'text', default: undefined },
  askToSignIn: { ...OF_POLICY, kind: 'switch', default: true },
  startAtLogin: { kind: 'switch', default: undefined, variable: undefined, user: 'desktop' },
  updateFeed: { ...OF_POLICY, kind: 'address', default: undefined },
  tls: { ...OF_POLICY, kind: 'tls', default: undefined },
} as const satisfies Record<string, SettingRow>
