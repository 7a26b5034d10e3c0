import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type Area, contrast, type Picture } from '../support/picture.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { startXfce, type Xfce } from '../support/xfce/xfce.ts'

async function openDeskWithPanel(scale = 1) {
  const desk = await openTestDesktop()
  const xfce = await startXfce(desk.keyring.env.DBUS_SESSION_BUS_ADDRESS, { scale })
  onTestFinished(() => xfce.stop())
  return { desk, xfce, app: await desk.start({ env: xfce.env }) }
}

function panelOf({ screen, panelArea }: Xfce): Picture {
  return screen.picture().cut({ ...panelArea, height: panelArea.height - 2 })
}

function iconArea(xfce: Xfce): Area | undefined {
  const panel = panelOf(xfce)
  return panel.drawing(panel.at(0, 0))
}

async function look(xfce: Xfce): Promise<{ readonly icon: string; readonly contrast: number }> {
  const { height } = xfce.panelArea
  await expect.poll(() => iconArea(xfce)?.height).toSatisfy((tall) => tall !== undefined && tall < 0.85 * height)
  let panel = panelOf(xfce)
  await expect
    .poll(() => {
      const before = panel
      panel = panelOf(xfce)
      return before.pixels.equals(panel.pixels)
    })
    .toBe(true)
  const ground = panel.at(0, 0)
  const icon = panel.cut(panel.drawing(ground) ?? xfce.panelArea)
  const pixels = Array.from({ length: icon.width * icon.height }, (_, index) => icon.at(index, 0))
  return { icon: icon.pixels.toString('base64'), contrast: Math.max(...pixels.map((each) => contrast(each, ground))) }
}

it('the tray shows the state and a tooltip, opens menu and window, refreshes, signs out and quits', async () => {
  const { desk, xfce, app } = await openDeskWithPanel()
  const { item } = xfce
  const window = await app.open()
  await expect.poll(() => item.tooltip()).toBe('Latchkey: Signed out')
  await window.signIn(ANA)
  const host = new URL(desk.service.address).host
  await expect.poll(() => item.tooltip()).toBe(`Latchkey: Signed in as Ana Duarte · ${host}`)
  await window.close()
  await look(xfce)
  const { x = 0, y = 0, width = 0, height = 0 } = iconArea(xfce) ?? {}
  const atIcon = () => xfce.screen.moveTo(x + Math.floor(width / 2), y + Math.floor(height / 2))
  const below = () => xfce.screen.picture().cut({ x: xfce.panelArea.width - 400, y: 40, width: 400, height: 200 })
  await atIcon()
  await xfce.screen.click(3)
  await expect.poll(() => below().at(390, 100)[0] < 128).toBe(true)
  for (const key of ['Down', 'Down', 'Return']) await xfce.screen.press(key)
  await expect.poll(() => desk.count('refresh')).toBe(1)
  await atIcon()
  await xfce.screen.click(1)
  await (await app.open()).close()
  await xfce.screen.moveTo(10, 400)
  await item.choose('Sign out')
  await expect.poll(() => item.tooltip()).toBe('Latchkey: Signed out')
  await expect.poll(() => desk.count('logout')).toBe(1)
  await item.choose('Quit Latchkey')
  await app.ended()
  await expect.poll(() => xfce.items()).toEqual([])
  await expect.poll(() => iconArea(xfce)).toBeUndefined()
})

it('the icon differs in each state, and is visible on a dark and on a light panel', async () => {
  const { desk, xfce, app } = await openDeskWithPanel(2)
  const { item } = xfce
  const window = await app.open()
  const icons = { dark: new Set<string>(), light: new Set<string>() }
  const seen = async (state: string, tooltip: string) => {
    await expect.poll(() => item.tooltip()).toContain(tooltip)
    for (const shade of ['light', 'dark'] as const) {
      await xfce.paint(shade)
      await expect.poll(() => (panelOf(xfce).at(0, 0)[0] < 128 ? 'dark' : 'light')).toBe(shade)
      const { icon, contrast } = await look(xfce)
      expect.soft(contrast, `${state} on a ${shade} panel`).toBeGreaterThan(4.5)
      icons[shade].add(icon)
    }
  }

  await seen('signed-out', 'Signed out')
  await window.signIn(ANA)
  await window.close()
  await seen('signed-in', 'Signed in as Ana Duarte')

  desk.service.inject('refresh', { kind: 'hang' })
  await item.choose('Renew now')
  await seen('refreshing', 'Renewing')
  await desk.service.pause()
  await seen('unreachable', 'Can’t reach')
  await desk.service.resume()
  await expect.poll(() => item.tooltip()).toContain('Signed in as Ana Duarte')

  desk.service.inject('refresh', { kind: 'status', status: 401 })
  await item.choose('Renew now')
  await seen('attention', 'can’t be renewed')

  expect([icons.dark.size, icons.light.size]).toEqual([5, 5])
})
