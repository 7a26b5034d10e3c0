/** The environment variables of the settings. `start.ts` loads this file before anything else, so it imports little. */
import { SETTINGS } from '../../contract/settings.ts'

/** The values of the variables, by name. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that contain settings. SECURITY: removes the client secret from the environment, so that
 * processes started from now on don't inherit it. On Linux, Chromium's zygote has already inherited it.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // On Windows, the names of variables are case-insensitive in the environment itself, but not in a copy of it. So each
  // variable is read from the environment by its name.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
