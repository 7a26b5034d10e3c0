import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import { loadTexts } from '../../text/index.ts'
import { fieldMenu, macMenu } from './menus.ts'

const items = (menu: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
  menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])

it('Cmd+Comma opens the settings, and Cmd with +, - or 0 changes the zoom', async () => {
  const done: string[] = []
  const window = { show: (to: string) => done.push(to), zoom: (zoom: string) => done.push(zoom) }
  const clicks = items(macMenu(await loadTexts('en'), window)).filter(({ click }) => click !== undefined)
  for (const { click } of clicks) (click as () => void)()
  expect(clicks.map(({ accelerator }) => accelerator)).toEqual(['Cmd+,', 'Cmd+0', 'Cmd+Plus', 'Cmd+-'])
  expect(done).toEqual(['settings', 'reset', 'in', 'out'])
})

it('only fields have a menu, which allows what Chromium allows in the field', async () => {
  const { desktop } = await loadTexts('en')
  // Chromium reports this for a password.
  const flags = { canCut: false, canCopy: false, canPaste: true, canSelectAll: true } as ContextMenuParams['editFlags']
  const menu = fieldMenu(desktop, { isEditable: true, editFlags: flags })
  expect(menu.map(({ role, enabled }) => role && [role, enabled])).toEqual([
    ['cut', false],
    ['copy', false],
    ['paste', true],
    undefined,
    ['selectAll', true],
  ])
  expect(fieldMenu(desktop, { isEditable: false, editFlags: flags })).toEqual([])
})
