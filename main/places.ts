import path from 'node:path'
import { type Location, type LocationProblem, locate } from './agent/location.ts'
import { installationId } from './installation.ts'
import { logFolder } from './log/location.ts'
import { policyPath } from './settings/policy.ts'

interface Desktop {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** The user's home folder. */
  readonly home: string
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

/** The files and folders of this installation. */
export interface Places {
  readonly dataFolder: string
  /** The id of this installation. It is part of the names of its session entries in the keychain. */
  readonly installation: string
  readonly settingsFile: string
  readonly policyFile: string
  readonly logDir: string
  readonly agentEndpoint: Location | LocationProblem
}

export function placesOf(desktop: Desktop): Places {
  const { platform, env, dataFolder } = desktop
  return {
    dataFolder,
    installation: installationId({ platform, dataFolder }),
    settingsFile: path.join(dataFolder, 'config.json'),
    policyFile: policyPath(platform, env),
    logDir: logFolder(desktop),
    agentEndpoint: locate(desktop),
  }
}
