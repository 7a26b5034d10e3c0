import { expect, it, onTestFinished } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { eventually } from '../support/eventually.ts'
import { type Area, contrast, type Picture } from '../support/picture.ts'
import { openTestDesktop } from '../support/test-desktop.ts'
import { startXfce, type Xfce } from '../support/xfce/xfce.ts'

const WHITE = [255, 255, 255] as const

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

async function cellAtRest(xfce: Xfce): Promise<Picture> {
  const { width, height } = xfce.panelArea
  const side = height - 2
  const now = () => panelOf(xfce).cut({ x: width - height, y: 0, width: side, height: side })
  let cell = now()
  await eventually(() => {
    const before = cell
    cell = now()
    return before.pixels.equals(cell.pixels)
  }).toBe(true)
  return cell
}

async function look(xfce: Xfce): Promise<{ readonly cell: Picture; readonly contrast: number }> {
  const { height } = xfce.panelArea
  await eventually(() => iconArea(xfce)?.height).toSatisfy((tall) => tall !== undefined && tall < 0.85 * height)
  const cell = await cellAtRest(xfce)
  const { width: side } = cell
  const pixels = Array.from({ length: side ** 2 }, (_, index) => cell.at(index % side, Math.floor(index / side)))
  return { cell, contrast: Math.max(...pixels.map((each) => contrast(each, cell.at(0, 0)))) }
}

it('the tray shows the state and a tooltip, opens menu, window and settings, refreshes, copies a token, signs out and quits', async () => {
  const { desk, xfce, app } = await openDeskWithPanel()
  const { item } = xfce
  const window = await app.open()
  await eventually(() => item.tooltip()).toBe('Latchkey: Signed out')
  await window.signIn(ANA)
  const host = new URL(desk.service.address).host
  await eventually(() => item.tooltip()).toBe(`Latchkey: Signed in as Ana Duarte · ${host}`)
  await window.close()
  await look(xfce)
  const { x = 0, y = 0, width = 0, height = 0 } = iconArea(xfce) ?? {}
  const atIcon = () => xfce.screen.moveTo(x + Math.floor(width / 2), y + Math.floor(height / 2))
  const below = () => xfce.screen.picture().cut({ x: xfce.panelArea.width - 400, y: 40, width: 400, height: 200 })
  const isWhite = () => below().drawing(WHITE) === undefined
  await eventually(isWhite).toBe(true)
  await atIcon()
  await eventually(isWhite).toBe(false)
  await xfce.screen.click(3)
  await eventually(() => below().at(390, 100)[0] < 128).toBe(true)
  for (const key of ['Down', 'Down', 'Return']) await xfce.screen.press(key)
  await eventually(() => desk.count('refresh')).toBe(1)
  await atIcon()
  await xfce.screen.click(1)
  await (await app.open()).close()
  await xfce.screen.moveTo(10, 400)
  const isTokenCopied = async () => {
    // The app replaces the menu when the refresh ends. A click in the old menu does nothing, so the test tries again.
    await item.choose('Copy access token')
    return desk.service.issuedSecrets().includes(await app.app.evaluate(({ clipboard }) => clipboard.readText()))
  }
  await eventually(isTokenCopied).toBe(true)

  await item.choose('Settings…')
  const settings = await app.open()
  await settings.page.getByRole('heading', { name: 'Settings' }).waitFor()
  await settings.close()

  await item.choose('Sign out')
  await eventually(() => item.tooltip()).toBe('Latchkey: Signed out')
  await eventually(() => desk.count('logout')).toBe(1)
  await item.choose('Quit Latchkey')
  await app.ended()
  await eventually(() => xfce.items()).toEqual([])
  await eventually(() => iconArea(xfce)).toBeUndefined()
})

it('the icon differs in each state, and is visible on a dark and on a light panel', async () => {
  const { desk, xfce, app } = await openDeskWithPanel(2)
  const { item } = xfce
  const window = await app.open()
  const pixmaps = new Map<string, string>()
  const cells = { dark: [] as Picture[], light: [] as Picture[] }
  const seen = async (state: string, tooltip: string) => {
    await eventually(() => item.tooltip()).toContain(tooltip)
    pixmaps.set(JSON.stringify(await item.property('IconPixmap')), state)
    for (const shade of ['light', 'dark'] as const) {
      await xfce.paint(shade)
      await eventually(() => (panelOf(xfce).at(0, 0)[0] < 128 ? 'dark' : 'light')).toBe(shade)
      const { cell, contrast } = await look(xfce)
      expect.soft(contrast, `${state} on a ${shade} panel`).toBeGreaterThan(4.5)
      cells[shade].push(cell)
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
  await eventually(() => item.tooltip()).toContain('Signed in as Ana Duarte')

  desk.service.inject('refresh', { kind: 'status', status: 401 })
  await item.choose('Renew now')
  await seen('attention', 'can’t be renewed')

  expect([...pixmaps.values()]).toHaveLength(5)
  expect(new Set(cells.dark.map((cell) => cell.pixels.toString('base64'))).size).toBe(5)
})
