import { homedir } from 'node:os'
import { app, session } from 'electron'
import { DeadlineClock, systemTime } from '../base/clock.ts'
import type { Variables } from '../settings/layers.ts'
import { readEnvironment } from '../settings/layers.ts'
import { policyPlaces } from '../settings/policy-places.ts'
import { systemProxy } from '../surfaces/system-network.ts'
import { askTrayHost } from '../surfaces/tray-host.ts'
import { pathsOf } from './paths.ts'

/** Reads what the app and `--doctor` need to know about this desktop. */
export function readHostSystem(variables: Variables) {
  const { platform, env } = process
  const clock = new DeadlineClock(systemTime)
  const dataFolder = app.getPath('userData')
  const isDefaultDataFolder = !app.commandLine.hasSwitch('user-data-dir')
  const paths = pathsOf({ platform, env, home: homedir(), dataFolder, isDefaultDataFolder })
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
