import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { Texts } from '../../text/index.ts'

type Pointed = Pick<ContextMenuParams, 'isEditable' | 'editFlags'>

/** What can be done with a text in the field that is pointed at; nothing where that is no field to type into. */
export function fieldMenu({ menu }: Texts['shell'], { isEditable, editFlags }: Pointed): MenuItemConstructorOptions[] {
  if (!isEditable) return []
  return [
    // Of a password nothing can be cut or copied: Chromium says so.
    { role: 'cut', label: menu.cut, enabled: editFlags.canCut },
    { role: 'copy', label: menu.copy, enabled: editFlags.canCopy },
    { role: 'paste', label: menu.paste, enabled: editFlags.canPaste },
    { type: 'separator' },
    { role: 'selectAll', label: menu.selectAll, enabled: editFlags.canSelectAll },
  ]
}
