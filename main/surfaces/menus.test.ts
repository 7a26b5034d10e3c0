import type { Menu, MenuItemConstructorOptions } from 'electron'
import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES, loadTexts, type Texts } from '../../text/index.ts'
import { AppMenu, fieldMenu, macMenu } from './menus.ts'

const menuIn = async (language: string, done: string[] = []) =>
  macMenu(await loadTexts(language), {
    openSettings: () => done.push('settings'),
    zoom: (zoom) => done.push(zoom),
  })

const items = (menu: readonly MenuItemConstructorOptions[]): readonly MenuItemConstructorOptions[] =>
  menu.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? items(item.submenu) : [])])
const labels = (menu: readonly MenuItemConstructorOptions[]) =>
  items(menu).flatMap(({ type, label }) => (type === 'separator' ? [] : [label]))

describe.each(LANGUAGES)('the menu of macOS (%s)', (language) => {
  it('every menu item has a label, because Electron’s own labels are English', async () => {
    for (const label of labels(await menuIn(language))) expect(label).toMatch(/^\S/)
  })

  it('no two items of a menu have the same label', async () => {
    for (const { submenu } of await menuIn(language)) {
      const own = labels(submenu as MenuItemConstructorOptions[])
      expect(new Set(own).size).toBe(own.length)
    }
  })
})

it('Cmd+Comma opens the settings, and Cmd with +, - or 0 changes the zoom', async () => {
  const done: string[] = []
  const clicks = items(await menuIn('en', done)).filter(({ click }) => click !== undefined)
  for (const { click } of clicks) (click as () => void)()
  expect(clicks.map(({ accelerator }) => accelerator)).toEqual(['Cmd+,', 'Cmd+0', 'Cmd+Plus', 'Cmd+-'])
  expect(done).toEqual(['settings', 'reset', 'in', 'out'])
})

it.each([
  ['darwin', 1],
  ['win32', 0],
  ['linux', 0],
] as const)('on %s, the app creates %d menu bars', async (platform, times) => {
  const templates: unknown[] = []
  const menu = {
    buildFromTemplate: (template: unknown[]) => {
      templates.push(template)
      return undefined as unknown as Menu
    },
    setApplicationMenu: () => {},
  }
  const window = { show: () => {}, zoom: () => {} }
  new AppMenu({ menu, window, texts: await loadTexts('en'), platform }).start()
  expect(templates).toHaveLength(times)
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

  it('is in the user’s language, and actions that aren’t possible are disabled', () => {
    const menu = fieldMenu(texts.desktop, { isEditable: true, editFlags })
    expect(menu.map(({ label, enabled }) => [label, enabled])).toEqual([
      ['Ausschneiden', false],
      ['Kopieren', false],
      ['Einsetzen', true],
      [undefined, undefined],
      ['Alles auswählen', true],
    ])
  })

  it('isn’t shown outside a text field, even if text could be copied', () => {
    expect(fieldMenu(texts.desktop, { isEditable: false, editFlags: { ...editFlags, canCopy: true } })).toEqual([])
  })
})
