import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { namesPublisher } from './plan.ts'

/** The `.exe` installs this file and the `.msi` doesn't (electron-builder: templates/nsis/common.nsh). */
export const UNINSTALLER = 'Uninstall Latchkey.exe'

export const hasUninstaller = (execPath: string): boolean => existsSync(path.join(path.dirname(execPath), UNINSTALLER))

/**
 * True if the file names the publisher that must sign updates.
 * @param config `app-update.yml`, which not every package has
 */
export const hasPublisher = (config: string): boolean =>
  existsSync(config) && namesPublisher(readFileSync(config, 'utf8'))
