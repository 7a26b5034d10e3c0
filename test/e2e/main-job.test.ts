import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { entryNameOn, storedToken } from '../support/entry.ts'
import { eventually } from '../support/eventually.ts'
import { processTree, typeOf } from '../support/processes.ts'
import { SHORT_LIFETIME } from '../support/refreshes.ts'
import { openSignedIn, openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const SHORT = { tokenLifetime: SHORT_LIFETIME }
const texts = await sentences()

it('the window asks for the service and the password once, even after a restart', async () => {
  const desk = await openTestDesktop()
  const app = await desk.start({ baseUrl: null })
  const window = await app.open()
  await window.connect(desk.service.address)
  await window.signIn(ANA)

  await window.says(texts.session.ready)
  await window.says(texts.session.kept.keychain)
  expect(desk.service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)
  await app.quit()

  const second = await desk.start({ baseUrl: null })
  await (await second.open()).signedIn.waitFor()
  expect([desk.count('login'), desk.count('refresh'), desk.service.replayCount()]).toEqual([1, 1, 0])
})

it('after the window has closed, no renderer is left, and the app still refreshes the token', async () => {
  const { desk, app, window } = await openSignedIn({ service: SHORT })
  await window.close()

  const renderers = () => processTree(app.pid).filter((each) => typeOf(each) === 'renderer')
  await eventually(renderers).toEqual([])

  const before = desk.count('refresh')
  await expect.poll(() => desk.count('refresh'), { timeout: 100_000 }).toBeGreaterThan(before)
  expect(desk.service.replayCount()).toBe(0)
  expect(renderers()).toEqual([])

  await expect(app.startAgain()).resolves.toBe(0)
  await (await app.open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('after a sign-out, the refresh token is revoked, and gone from keychain and settings', async () => {
  const desk = await openTestDesktop()
  const { service, keyring } = desk
  const first = await desk.start()
  const window = await first.open()
  await window.signIn(ANA)
  await window.choose('Renew now')
  await eventually(() => desk.count('refresh')).toBe(1)
  const refreshToken = (await storedToken(desk)) ?? ''
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
  expect(desk.settings()).toMatchObject({ markers: { [entryNameOn(desk)]: 'stored' } })

  await window.signOut()
  await window.says('You’re signed out, here and at')
  expect(service.isRefreshTokenValid(refreshToken)).toBe(false)
  await expect(keyring.lookup(entryNameOn(desk))).resolves.toBeUndefined()
  expect(desk.settings()).toMatchObject({ markers: {} })
  expect(desk.count('logout')).toBe(1)
  await first.quit()

  const second = await desk.start()
  await (await second.open()).username.waitFor()
  expect(desk.count('login')).toBe(1)
})
