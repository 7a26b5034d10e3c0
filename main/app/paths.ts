import path from 'node:path'
import { type Location, type LocationProblem, locate } from '../agent/location.ts'
import { logFolder } from '../log/location.ts'
import { policyPath } from '../settings/policy.ts'
import { installationId } from './installation.ts'

interface HostSystem {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  /** The user's home folder. */
  readonly home: string
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

/** The files and folders of this installation. */
export interface Paths {
  readonly dataFolder: string
  /** The id of this installation. It is part of the names of its session entries in the keychain. */
  readonly installation: string
  readonly settingsFile: string
  readonly policyFile: string
  readonly logDir: string
  readonly agentEndpoint: Location | LocationProblem
}

export function pathsOf(host: HostSystem): Paths {
  const { platform, env, dataFolder } = host
  return {
    dataFolder,
    installation: installationId({ platform, dataFolder }),
    settingsFile: path.join(dataFolder, 'config.json'),
    policyFile: policyPath(platform, env),
    logDir: logFolder(host),
    agentEndpoint: locate(host),
  }
}
