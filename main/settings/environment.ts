/** `start.ts` loads this file before anything else, so it imports little. */
import { SETTINGS } from '../../contract/settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that contain settings. SECURITY: removes the client secret from the environment, so that new
 * processes don't inherit it. On Linux, Chromium's zygote has inherited it already.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // Windows ignores the case of names only in the environment itself, so each variable is read there by its name.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
