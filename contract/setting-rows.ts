/** The table of settings, one row each. */

/** Single sign-on with a password in the window, or in the browser. */
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

/**
 * The kinds of value, with the limits that the parser (`main/settings/values.ts`) and the policy file's schema check.
 * Each kind has one parser, and one kind of input in the window.
 */
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

/** The texts in the structure `tls`. */
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
  /**
   * SECURITY: this value applies if a source sets an unusable one, so that a mistyped value doesn't permit what the
   * administrator forbids. Without `whenWrong`, the next source applies.
   */
  readonly whenWrong?: false | string
} & ( // `default` applies if no source sets a value. `user` says where the user's own value is stored; `undefined`: users can't set it.
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

/** The settings that each connection has for itself. */
export const CONNECTION_ROWS = {
  baseAddress: { kind: 'address', default: undefined, variable: 'LATCHKEY_BASE_URL', user: 'settings' },
  displayName: { kind: 'label', default: undefined, variable: 'LATCHKEY_DISPLAY_NAME', user: 'settings' },
  authUrl: { kind: 'address', usedBy: 'both', default: undefined, variable: 'LATCHKEY_AUTH_URL', user: 'settings' },
  flow: { kind: 'flow', usedBy: 'both', default: 'password-realm', variable: 'LATCHKEY_SSO_FLOW', user: 'settings' },
  providerDomain: {
    kind: 'domain',
    usedBy: 'password-realm',
    default: undefined,
    variable: 'LATCHKEY_SSO_PROVIDER_DOMAIN',
    user: 'settings',
  },
  realm: {
    kind: 'text',
    usedBy: 'password-realm',
    default: 'Username-Password-Authentication',
    variable: 'LATCHKEY_SSO_REALM',
    user: 'settings',
  },
  scope: { kind: 'text', usedBy: 'both', default: undefined, variable: 'LATCHKEY_SSO_SCOPE', user: 'settings' },
  audience: { kind: 'text', usedBy: 'both', default: undefined, variable: 'LATCHKEY_SSO_AUDIENCE', user: 'settings' },
  clientId: { kind: 'text', usedBy: 'both', default: undefined, variable: 'LATCHKEY_SSO_CLIENT_ID', user: 'settings' },
  clientSecret: {
    kind: 'secret',
    usedBy: 'both',
    default: undefined,
    variable: 'LATCHKEY_SSO_CLIENT_SECRET',
    user: 'keychain',
  },
  redirectPort: {
    kind: 'port',
    usedBy: 'browser',
    default: undefined,
    variable: 'LATCHKEY_SSO_REDIRECT_PORT',
    user: 'settings',
  },
  resource: {
    kind: 'text',
    usedBy: 'browser',
    default: undefined,
    variable: 'LATCHKEY_SSO_RESOURCE',
    user: 'settings',
  },
  prompt: { kind: 'text', usedBy: 'browser', default: undefined, variable: 'LATCHKEY_SSO_PROMPT', user: 'settings' },
  // The client libraries send the token to this address, too.
  dataAddress: { kind: 'address', default: undefined, variable: 'LATCHKEY_DATA_ADDRESS', user: 'settings' },
  gateway: { kind: 'switch', default: false, variable: 'LATCHKEY_GATEWAY', user: 'settings', whenWrong: false },
  gatewayPort: { kind: 'port', default: undefined, variable: 'LATCHKEY_GATEWAY_PORT', user: 'settings' },
  gatewayMethods: {
    kind: 'methods',
    default: 'read',
    variable: 'LATCHKEY_GATEWAY_METHODS',
    user: 'settings',
    whenWrong: 'read',
  },
} as const satisfies Record<string, SettingRow>

/** The settings of the whole app. */
export const APP_ROWS = {
  connections: { kind: 'connections', default: undefined, variable: undefined, user: undefined },
  userConnections: {
    kind: 'switch',
    default: undefined,
    variable: 'LATCHKEY_USER_CONNECTIONS',
    user: undefined,
    whenWrong: false,
  },
  agent: { kind: 'switch', default: true, variable: undefined, user: 'settings', whenWrong: false },
  mcp: { kind: 'switch', default: true, variable: undefined, user: undefined, whenWrong: false },
  // SECURITY: users can't set this, because the access token is sent to these addresses.
  mcpServers: { kind: 'text', default: undefined, variable: undefined, user: undefined },
  askToSignIn: { kind: 'switch', default: true, variable: undefined, user: undefined },
  startAtLogin: { kind: 'switch', default: undefined, variable: undefined, user: 'desktop' },
  updateFeed: { kind: 'address', default: undefined, variable: undefined, user: undefined },
  tls: { kind: 'tls', default: undefined, variable: undefined, user: undefined },
} as const satisfies Record<string, SettingRow>
