import { DEFAULT_CONNECTION } from '../../contract/connection-names.ts'
import { missingValues, NEEDED, PROVIDER_FIELDS, type SettingField } from '../../contract/settings.ts'
import { Secret } from '../base/secret.ts'
import { callbackPath } from '../service/callback-listener.ts'
import type { ManagedLayer } from '../settings/layers.ts'
import type { PolicyReading } from '../settings/policy.ts'
import type { Settings } from '../settings/settings.ts'

export interface Advice {
  readonly wrong: readonly string[]
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
  readonly notes: readonly string[]
  /** The names of values that don't apply, as `reportSettings` writes them. */
  readonly ignored: readonly string[]
}

/** The samples' placeholders (scripts/docs/policy-templates.ts, docs/administrators), with lower-case hosts. */
const PLACEHOLDER =
  /^put .+ here$|\b(?:CLIENT|TENANT)-ID\b|\bDATA-PLATFORM\b|\/\/(?:org\.okta\.|tenant\.auth0\.|host\/(?:realms|api)\/|cognito-idp\.region\.)|\/(?:REALM|ENVIRONMENT|POOL|PLUGIN)\b/
/** The domains that samples use in place of the reader's own (RFC 2606). */
const SAMPLE_HOST = /^https?:\/\/(?:[^/]+\.)?example\.(?:com|net|org)\b/
/** What Latchkey itself appends to `authUrl`. */
const METADATA_PATH = '/.well-known/openid-configuration'

export function adviceOf(settings: Settings, reading: PolicyReading): Advice {
  const layers = layersOf(reading)
  const parts = [
    ofApp(settings, reading),
    ...[...layers].map(([name, layer]) => ofPlaceholders(name, layer)),
    ...settings.names.map((name) => ofConnection(settings, name, layers.get(name) ?? {})),
  ]
  const all = <K extends keyof Advice>(key: K) => parts.flatMap((each) => each[key] ?? [])
  return {
    wrong: all('wrong'),
    missing: all('missing'),
    warnings: all('warnings'),
    notes: all('notes'),
    ignored: all('ignored'),
  }
}

/** The provider's values that the policy sets, but that have no effect, because the provider has no address. */
export const idleValues = (settings: Settings, reading: PolicyReading): readonly string[] =>
  settings.names.flatMap((name) => idleIn(settings, name, layersOf(reading).get(name) ?? {}))

function idleIn(settings: Settings, name: string, layer: ManagedLayer): readonly string[] {
  if (settings.of(name).view.authUrl.value !== undefined) return []
  return PROVIDER_FIELDS.filter((field) => layer[field] != null).map((field) => `${prefixOf(name)}${field}`)
}

const layersOf = ({ layer, connections }: PolicyReading): ReadonlyMap<string, ManagedLayer> =>
  new Map([[DEFAULT_CONNECTION, layer], ...(connections ?? [])])

const prefixOf = (connection: string): string => (connection === DEFAULT_CONNECTION ? '' : `${connection}.`)

function ofPlaceholders(name: string, layer: ManagedLayer): Partial<Advice> {
  const those = (pattern: RegExp) =>
    Object.entries(layer).flatMap(([field, value]) => {
      const text = value instanceof Secret ? value.reveal() : value
      return pattern.test(`${text}`) ? [`${prefixOf(name)}${field} still has the sample’s text.`] : []
    })
  return { wrong: those(PLACEHOLDER), warnings: those(SAMPLE_HOST) }
}

function ofApp(settings: Settings, { layer, connections }: PolicyReading): Partial<Advice> {
  const isOff = (name: 'agent' | 'mcp') => settings.app.of(name).value === false
  const others = [...(isOff('mcp') ? [] : ['latchkey mcp']), ...(layer.gateway === false ? [] : ['the gateway'])]
  const notes = [
    ...(settings.mayAdd ? [] : ['Users can’t add connections of their own.']),
    ...(isOff('agent') && others.length > 0 ? [`Tools get no tokens, but can use ${others.join(' and ')}.`] : []),
  ]
  const servers = settings.app.of('mcpServers').value?.split(/\s+/) ?? []
  const isUsable = (each: string) => URL.canParse(each) && /^https?:$/.test(new URL(each).protocol)
  const good = servers.every((each) => each === '' || isUsable(each))
  const warnings: string[] = []
  if (layer.baseAddress == null) {
    const [first] = connections?.keys() ?? []
    if (first) warnings.push(`Without baseAddress at the top level, tools must use --connection, such as ${first}.`)
    else if (layer.authUrl) warnings.push('Without baseAddress, each user must enter the service’s address.')
  }
  if (good) return { notes, warnings }
  return { notes, warnings, wrong: ['mcpServers must be addresses, separated by spaces.'], ignored: ['mcpServers'] }
}

function ofConnection(settings: Settings, name: string, layer: ManagedLayer): Partial<Advice> {
  const { view } = settings.of(name)
  const prefix = prefixOf(name)
  const { authUrl, redirectPort } = view
  const flow = view.flow.value === 'browser' ? 'browser' : 'password-realm'
  if (authUrl.value === undefined) {
    const idle = idleIn(settings, name, layer)
    const verb = idle.length === 1 ? 'has' : 'have'
    const named = new Intl.ListFormat('en-GB').format(idle)
    return {
      warnings: idle.length === 0 ? [] : [`${named} ${verb} no effect without ${prefix}authUrl.`],
      ignored: idle,
    }
  }
  const incomplete = lacking(missingValues(view), flow, layer, prefix)
  if (authUrl.value.endsWith(METADATA_PATH)) {
    return { ...incomplete, wrong: [`${prefix}authUrl must not end in ${METADATA_PATH}: leave that out.`] }
  }
  const port = redirectPort.value === undefined ? '' : `:${redirectPort.value}`
  const callback = `http://127.0.0.1${port}${callbackPath(authUrl.value)}${port === '' ? ' (with any port)' : ''}`
  return {
    ...incomplete,
    notes: flow === 'browser' ? [`Register at the provider: ${callback}`] : [],
  }
}

function lacking(
  missing: readonly SettingField[],
  flow: keyof typeof NEEDED,
  layer: ManagedLayer,
  prefix: string,
): Partial<Advice> {
  // The administrator may leave the client secret to the users.
  const ofPolicy = missing.filter((field) => field !== 'clientSecret')
  const named = (fields: readonly string[]) => fields.map((field) => `${prefix}${field}`).join(', ')
  if (ofPolicy.length === 0) {
    return {
      warnings: missing.map((field) => `${prefix}${field}: each user must enter it, under Settings, Single sign-on.`),
    }
  }
  const needs = NEEDED.browser.filter((field) => field !== 'authUrl').join(' and ')
  const hint =
    flow === 'browser' || layer.flow != null ? '' : ` Or set ${prefix}flow to browser: then only ${needs} are needed.`
  return { missing: [`Single sign-on also needs ${named(missing)}.${hint}`] }
}
