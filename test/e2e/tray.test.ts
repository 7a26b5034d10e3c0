/** The tray icon, as a panel of the desktop shows it. */
import { it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { openDesk } from '../support/desk.ts'
import { eventually } from '../support/eventually.ts'
import type { Panel } from '../support/panel.ts'

const labels = async (panel: Panel) => (await panel.menu()).map(({ label }) => label)

it('tells the state, shows the window, renews, signs out and quits, all without a window', async () => {
  const desk = await openDesk()
  const panel = await desk.startPanel()
  const app = await desk.start()
  const window = await app.open()
  await eventually(() => panel.tooltip()).toBe('Latchkey: Signed out')

  await window.signIn(ANA)
  const host = new URL(desk.service.address).host
  await eventually(() => panel.tooltip()).toBe(`Latchkey: Signed in as Ana Duarte · ${host}`)
  await window.close()

  await panel.choose('Renew now')
  await eventually(() => desk.count('refresh')).toBe(1)

  await panel.choose('Show Latchkey')
  const again = await app.open()
  await again.signedIn.waitFor()
  await again.close()

  await panel.choose('Sign out')
  await eventually(() => panel.tooltip()).toBe('Latchkey: Signed out')
  await eventually(() => desk.count('logout')).toBe(1)
  await eventually(() => labels(panel)).toEqual(['Signed out', 'Show Latchkey', 'Quit Latchkey'])

  await panel.choose('Quit Latchkey')
  await app.ended()
})

it('says that the service can’t be reached, and that it is back', async () => {
  const desk = await openDesk({ service: { tokenLifetime: 5 } })
  const panel = await desk.startPanel()
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  await window.close()

  await desk.service.pause()
  await eventually(() => panel.tooltip()).toContain('Can’t reach')
  await desk.service.resume()
  await eventually(() => panel.tooltip()).toContain('Signed in as Ana Duarte')
})
