import { Menu } from 'electron'

/** The application menu: the native one on macOS, where shortcuts live in it; none elsewhere. */
export function setApplicationMenu(platform: NodeJS.Platform): void {
  if (platform !== 'darwin') {
    Menu.setApplicationMenu(null)
    return
  }
  Menu.setApplicationMenu(Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }]))
}
