import { expect, it } from 'vitest'
import { NoTray } from './no-tray.ts'
import type { TrayHost } from './tray-host.ts'

function desktop(host: TrayHost, remembered?: unknown) {
  const told = {
    value: remembered,
    get: () => told.value,
    set: (value: boolean) => {
      told.value = value
    },
  }
  const changes: boolean[] = []
  const noTray: NoTray = new NoTray({ ask: async () => host, told, onChange: () => changes.push(noTray.isDue) })
  return { noTray, told, changes }
}

it('without a tray, the notice is due from when the window closes until it opens, once per installation', async () => {
  const { noTray, changes, told } = desktop('absent')
  noTray.windowOpened()
  await noTray.windowClosed()
  noTray.windowOpened()
  expect(changes).toEqual([true, false])
  noTray.markShown()
  const later = desktop('absent', told.value)
  await later.noTray.windowClosed()
  expect(later.noTray.isDue).toBe(false)
})

it('no notice is due if the window closes because the app quits', async () => {
  const { noTray, told } = desktop('absent')
  noTray.stop()
  await noTray.windowClosed()
  expect([noTray.isDue, told.value]).toEqual([false, undefined])
})
