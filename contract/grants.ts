import * as v from 'valibot'
import { type InputField, type InputValues, inputEntries } from './input-fields.ts'

export const GRANT_NAMES = ['password', 'passwordRealm', 'browser'] as const
export type GrantName = (typeof GRANT_NAMES)[number]

export const ISSUER_KINDS = ['service', 'identityProvider'] as const
export type IssuerKind = (typeof ISSUER_KINDS)[number]

export interface Capabilities {
  readonly refresh: boolean
  readonly revoke: boolean
  readonly changePassword: boolean
}

export interface GrantDescription {
  readonly name: string
  readonly issuer: IssuerKind
  readonly fields: readonly InputField[]
  readonly capabilities: Capabilities
}

const USERNAME = { name: 'username', kind: 'text', autocomplete: 'username', maxLength: 512 } as const
const PASSWORD = { name: 'password', kind: 'password', autocomplete: 'current-password', maxLength: 4096 } as const

export const GRANTS = {
  password: {
    name: 'password',
    issuer: 'service',
    fields: [
      { ...USERNAME, sentAs: 'basicUsername' },
      { ...PASSWORD, sentAs: 'basicPassword' },
    ],
    capabilities: { refresh: true, revoke: true, changePassword: true },
  },
  passwordRealm: {
    name: 'passwordRealm',
    issuer: 'identityProvider',
    fields: [
      { ...USERNAME, sentAs: 'json' },
      { ...PASSWORD, sentAs: 'json' },
    ],
    capabilities: { refresh: true, revoke: false, changePassword: false },
  },
  browser: {
    name: 'browser',
    issuer: 'identityProvider',
    fields: [],
    capabilities: { refresh: true, revoke: true, changePassword: false },
  },
} as const satisfies { readonly [N in GrantName]: GrantDescription & { readonly name: N } }

type SignInInput = InputValues & { readonly grant: string }

export const signInInput = (grants: readonly GrantDescription[]): v.GenericSchema<unknown, SignInInput> =>
  v.variant(
    'grant',
    grants.map(({ name, fields }) => v.strictObject({ grant: v.literal(name), ...inputEntries(fields) })),
  )
