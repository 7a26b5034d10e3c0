import type { MenuItemConstructorOptions } from 'electron'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadTexts, type Texts } from '../../text/index.ts'
import { fieldMenu, macMenu } from './menus.ts'

const menuIn = async (language: string, done: string[] = []) =>
  macMenu(await loadTexts(language), {
    openSettings: () => done.push('settings'),
    zoom: (zoom) => done.push(zoom),
  })

const items = (menu: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
  menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])

it('Cmd+Comma opens the settings, and Cmd with +, - or 0 changes the zoom', async () => {
  const done: string[] = []
  const clicks = items(await menuIn('en', done)).filter(({ click }) => click !== undefined)
  for (const { click } of clicks) (click as () => void)()
  expect(clicks.map(({ accelerator }) => accelerator)).toEqual(['Cmd+,', 'Cmd+0', 'Cmd+Plus', 'Cmd+-'])
  expect(done).toEqual(['settings', 'reset', 'in', 'out'])
})

describe('the context menu of a text field', () => {
  let texts: Texts
  beforeAll(async () => {
    texts = await loadTexts('de', 'darwin')
  })
  const editFlags = {
    canCut: false,
    canCopy: false,
    canPaste: true,
    canSelectAll: true,
    canDelete: true,
    canUndo: true,
    canRedo: true,
    canEditRichly: false,
  }

  it('is in the user’s language and disables actions that aren’t possible at the moment', () => {
    const menu = fieldMenu(texts.desktop, { isEditable: true, editFlags })
    expect(menu.map(({ label, enabled }) => [label, enabled])).toEqual([
      ['Ausschneiden', false],
      ['Kopieren', false],
      ['Einsetzen', true],
      [undefined, undefined],
      ['Alles auswählen', true],
    ])
  })

  it('is only shown in a text field, even if other text could be copied', () => {
    expect(fieldMenu(texts.desktop, { isEditable: false, editFlags: { ...editFlags, canCopy: true } })).toEqual([])
  })
})
