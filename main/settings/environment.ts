/** The environment variables of the settings. `start.ts` loads this file before anything else: it imports little. */
import { SETTINGS } from '../../contract/settings.ts'

/** Their values, by their names. */
export type Variables = Readonly<Record<string, string | undefined>>

/**
 * Reads the variables that set a value. SECURITY: the client secret is taken out of the environment, so that no process
 * that is started from now on meets it. Chromium's zygote, on Linux, was there before.
 */
export function takeVariables(env: Record<string, string | undefined>): Variables {
  const names = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? [])
  // By name: on Windows the environment itself doesn't mind capitals, a copy of it would.
  const variables = Object.fromEntries(names.map((name) => [name, env[name]]))
  for (const { kind, variable } of Object.values(SETTINGS)) if (kind === 'secret') delete env[variable]
  return variables
}
