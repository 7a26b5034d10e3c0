import { Menu, type MenuItemConstructorOptions } from 'electron'

/** The application menu: the native one on macOS, where shortcuts live in it; none elsewhere. */
export function setApplicationMenu(platform: NodeJS.Platform): void {
  Menu.setApplicationMenu(platform === 'darwin' ? Menu.buildFromTemplate(MAC) : null)
}

/** About and Cmd-Q; cut, copy, paste; Cmd-W and Cmd-M. An app without a File menu has Close among its windows. */
const MAC: MenuItemConstructorOptions[] = [
  { role: 'appMenu' },
  { role: 'editMenu' },
  {
    role: 'window',
    submenu: [{ role: 'close' }, { role: 'minimize' }, { role: 'zoom' }, { type: 'separator' }, { role: 'front' }],
  },
]
