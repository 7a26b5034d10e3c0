import { homedir } from 'node:os'
import path from 'node:path'
import { app, session } from 'electron'
import { type AgentLocation, type LocationProblem, locate } from '../agent/location.ts'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import { logFolder } from '../log/location.ts'
import { readEnvironment, type Variables } from '../settings/layers.ts'
import { policyPath } from '../settings/policy.ts'
import { policyPlaces } from '../settings/policy-places.ts'
import { systemProxy } from '../surfaces/system-network.ts'
import { askTrayHost } from '../surfaces/tray-host.ts'
import { installationId } from './installation.ts'

export interface Paths {
  readonly dataFolder: string
  /** The names of this installation's entries in the keychain contain this id. */
  readonly installation: string
  readonly settingsFile: string
  readonly policyFile: string
  readonly logDir: string
  readonly agentEndpoint: AgentLocation | LocationProblem
}

export function readHostSystem(variables: Variables) {
  const { platform, env } = process
  const clock = new DeadlineClock(systemTime)
  const dataFolder = app.getPath('userData')
  const isDefaultDataFolder = !app.commandLine.hasSwitch('user-data-dir')
  const host = { platform, env, home: homedir(), dataFolder, isDefaultDataFolder }
  const paths: Paths = {
    dataFolder,
    installation: installationId(host),
    settingsFile: path.join(dataFolder, 'config.json'),
    policyFile: policyPath(platform, env),
    logDir: logFolder(host),
    agentEndpoint: locate(host),
  }
  return {
    platform,
    env,
    version: app.getVersion(),
    clock,
    paths,
    policyPlaces: policyPlaces(paths.policyFile, platform, env),
    environment: readEnvironment(variables),
    resolveProxy: systemProxy(session),
    askTrayHost: () => askTrayHost({ clock }),
  }
}

export const toConsole = () => ({ isDevelopment: !app.isPackaged, print: (line: string) => console.error(line) })
