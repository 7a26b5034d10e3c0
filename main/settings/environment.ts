/** This file imports little, because `start.ts` loads it before anything else. */
import { SETTINGS } from '../../contract/settings.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that contain settings. SECURITY: removes the client secret from the environment, so that
 * processes started later don't inherit it. Chromium's zygote, on Linux, has already inherited it.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // Windows ignores the case of a variable's name, but a copy of the environment doesn't. So each variable is read from
  // the environment by its name.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
