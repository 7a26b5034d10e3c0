import type { MenuItemConstructorOptions } from 'electron'
import { expect, it } from 'vitest'
import { loadTexts } from '../../text/index.ts'
import { macMenu } from './menus.ts'

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
