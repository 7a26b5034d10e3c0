/** What the doctor tries: what the app uses. */
import { homedir, userInfo } from 'node:os'
import { DEFAULT_CONNECTION } from '../contract/connection-names.ts'
import { SETTING_FIELDS } from '../contract/settings.ts'
import type { DoctorTexts } from '../text/en-doctor.ts'
import type { Texts } from '../text/index.ts'
import { resolveName } from './doctor/checks/name.ts'
import type { DoctorPorts, Route as DoctorRoute, Identity, Target } from './doctor/ports.ts'
import type { Person } from './doctor/redact.ts'
import { findVersions } from './doctor/versions.ts'
import type { Surroundings } from './examine.ts'
import type { Foundation } from './foundation.ts'
import { shownVariables } from './network/shown-variables.ts'
import { type ClientIdentity, revealed } from './service/client-identity.ts'
import type { Route } from './service/http-client.ts'
import { proxyTroubleOf } from './service/trouble.ts'
import { askTrayHost } from './surfaces/tray-host.ts'

export function doctorPorts(
  foundation: Foundation,
  texts: Texts & { readonly doctor: DoctorTexts },
  { notices, places, logProblem, agent }: Surroundings,
): DoctorPorts {
  const { platform, env, version, clock, settings, network, http } = foundation
  return {
    clock,
    platform,
    texts: { doctor: texts.doctor, causes: texts.details.causes },
    person: thisPerson(),
    versions: () => findVersions({ app: version, process }),
    settings: () => ({
      values: settings.names.flatMap((name) => {
        const { view } = settings.of(name)
        const prefix = name === DEFAULT_CONNECTION ? '' : `${name}.`
        const fields = SETTING_FIELDS.map((field) => {
          const isEmpty = field !== 'clientSecret' && view[field].value === undefined
          return { name: `${prefix}${field}`, ...view[field], ...(isEmpty && { value: null }) }
        })
        // Of the others only what there is.
        return prefix === '' ? fields : fields.filter(({ source }) => source !== undefined)
      }),
      problems: notices(texts),
      places,
      logProblem,
      variables: shownVariables(env, platform),
    }),
    targets: targetsOf(foundation),
    waysTo: network.waysTo,
    routeFor: async (journey) => doctorRoute(await network.http.routeFor(journey)),
    trusted: network.http.trusted,
    identityFor: async (url) => {
      const identity = await network.http.identityFor(url)
      return identity && inWordsOfTls(identity)
    },
    send: http.send,
    resolve: resolveName,
    tryKeychain: async () => (await foundation.openKeychain()).probe(),
    agent: { isEnabled: settings.app.of('agent').value, place: agent, uid: process.getuid?.() },
    askTrayHost: () => askTrayHost({ clock }),
  }
}

/** Got has a word of its own for the certificate. */
function inWordsOfTls(identity: ClientIdentity): Identity {
  const known = revealed(identity)
  if ('pfx' in known) return known
  const { certificate: cert, ...rest } = known
  return { cert, ...rest }
}

/** Whom the report must not name. */
export function thisPerson(): Person {
  const home = homedir()
  try {
    return { home, name: userInfo().username }
  } catch {
    // A user without an entry in passwd, as in a container.
    return { home, name: '' }
  }
}

function targetsOf({ settings }: Foundation): readonly Target[] {
  return settings.names.flatMap((name) => {
    const { connection, view } = settings.of(name)
    // Looked at as soon as it is named: what else single sign-on lacks is another matter.
    const provider = view.authUrl.value
    return [
      ...(connection === undefined ? [] : [{ kind: 'service', url: new URL(connection.baseAddress) } as const]),
      ...(provider === undefined ? [] : [{ kind: 'provider', url: new URL(provider) } as const]),
    ]
  })
}

const doctorRoute = ({ agent, otherwise }: Route): DoctorRoute => ({
  agent,
  next: async (error) => {
    const trouble = proxyTroubleOf(error)
    const route = trouble && (await otherwise?.(trouble))
    return route && doctorRoute(route)
  },
})
