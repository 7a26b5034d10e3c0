import { describe, expect, it } from 'vitest'
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

describe('on a desktop without a tray', () => {
  it('the notice is due from when the window closes until it opens again', async () => {
    const { noTray, changes } = desktop('absent')
    noTray.windowOpened()
    await noTray.windowClosed()
    expect(noTray.isDue).toBe(true)
    noTray.windowOpened()
    expect(changes).toEqual([true, false])
  })

  it('the notice is shown only once per installation', async () => {
    const { noTray, told } = desktop('absent')
    await noTray.windowClosed()
    noTray.markShown()
    const later = desktop('absent', told.value).noTray
    await later.windowClosed()
    expect(later.isDue).toBe(false)
  })

  it('the notice isn’t due if the window closes because the app quits', async () => {
    const { noTray, told } = desktop('absent')
    noTray.stop()
    await noTray.windowClosed()
    expect([noTray.isDue, told.value]).toEqual([false, undefined])
  })
})

it.each(['present', 'unknown'] as const)('no notice is due and nothing is stored if the tray is %s', async (host) => {
  const { noTray, told, changes } = desktop(host)
  await noTray.windowClosed()
  expect([noTray.isDue, told.value, changes]).toEqual([false, undefined, []])
})
