import path from 'node:path'
import { type AgentLocation, type LocationProblem, locate } from '../agent/location.ts'
import { logFolder } from '../log/location.ts'
import { policyPath } from '../settings/policy.ts'
import { installationId } from './installation.ts'

interface HostSystem {
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly dataFolder: string
  readonly isDefaultDataFolder: boolean
}

export interface Paths {
  readonly dataFolder: string
  /** The names of this installation's entries in the keychain contain this id. */
  readonly installation: string
  readonly settingsFile: string
  readonly policyFile: string
  readonly logDir: string
  readonly agentEndpoint: AgentLocation | LocationProblem
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
