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

it.each([
  ['the app quits', 'absent'],
  ['the tray is present', 'present'],
  ['it is unknown whether there is a tray', 'unknown'],
] as const)('no notice is due when the window closes if %s', async (_, host) => {
  const { noTray } = desktop(host)
  if (host === 'absent') noTray.stop()
  await noTray.windowClosed()
  expect(noTray.isDue).toBe(false)
})
