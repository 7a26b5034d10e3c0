import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { Texts } from '../../text/index.ts'
import type { Zoom } from './zoom.ts'

interface MenuWindow {
  show(to: 'settings'): void
  zoom(zoom: Zoom): void
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }

/** Close is in the Window menu, because there is no File menu. */
export function macMenu(texts: Texts, window: MenuWindow): MenuItemConstructorOptions[] {
  const { menu, settings } = texts.desktop
  const zoomItem = (label: string, key: string, to: Zoom): MenuItemConstructorOptions => {
    return { label, accelerator: `Cmd+${key}`, click: () => window.zoom(to) }
  }
  return [
    {
      label: texts.app,
      submenu: [
        { role: 'about', label: menu.about },
        SEPARATOR,
        { label: settings, accelerator: 'Cmd+,', click: () => window.show('settings') },
        SEPARATOR,
        { role: 'services', label: menu.services },
        SEPARATOR,
        { role: 'hide', label: menu.hide },
        { role: 'hideOthers', label: menu.hideOthers },
        { role: 'unhide', label: menu.showAll },
        SEPARATOR,
        { role: 'quit', label: texts.tray.quit },
      ],
    },
    {
      label: menu.edit,
      submenu: [
        { role: 'undo', label: menu.undo },
        { role: 'redo', label: menu.redo },
        SEPARATOR,
        { role: 'cut', label: menu.cut },
        { role: 'copy', label: menu.copy },
        { role: 'paste', label: menu.paste },
        { role: 'selectAll', label: menu.selectAll },
      ],
    },
    {
      label: menu.view,
      submenu: [
        zoomItem(menu.actualSize, '0', 'reset'),
        zoomItem(menu.zoomIn, 'Plus', 'in'),
        zoomItem(menu.zoomOut, '-', 'out'),
      ],
    },
    {
      role: 'window',
      label: menu.window,
      submenu: [
        { role: 'close', label: menu.close },
        { role: 'minimize', label: menu.minimize },
        { role: 'zoom', label: menu.zoom },
        SEPARATOR,
        { role: 'front', label: menu.front },
      ],
    },
  ]
}

type Pointed = Pick<ContextMenuParams, 'isEditable' | 'editFlags'>

/** The context menu of the input field under the pointer. It is empty if there is no input field. */
export function fieldMenu(
  { menu }: Texts['desktop'],
  { isEditable, editFlags }: Pointed,
): MenuItemConstructorOptions[] {
  if (!isEditable) return []
  return [
    // Chromium already reports that a password can't be cut or copied.
    { role: 'cut', label: menu.cut, enabled: editFlags.canCut },
    { role: 'copy', label: menu.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: menu.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: menu.selectAll, enabled: editFlags.canSelectAll },
  ]
}
