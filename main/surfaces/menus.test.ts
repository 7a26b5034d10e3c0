import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import { loadTexts } from '../../text/index.ts'
import { macMenu } from './menus.ts'

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
