import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { entryNameOn, storedToken } from '../support/entry.ts'
import { processTree, typeOf } from '../support/processes.ts'
import { SHORT_LIFETIME } from '../support/refreshes.ts'
import { openSignedIn, openTestDesktop } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const SHORT = { tokenLifetime: SHORT_LIFETIME }
const texts = await sentences()

it('the window asks for the service and the password once, even after a restart; a sign-out leaves no session anywhere', async () => {
  const desk = await openTestDesktop()
  const { service, keyring } = desk
  const app = await desk.start({ baseUrl: null })
  const window = await app.open()
  await window.connect(service.address)
  await window.signIn(ANA)

  await window.says(texts.session.ready)
  await window.says(texts.session.kept.keychain)
  expect(service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)
  await app.quit()

  const second = await desk.start({ baseUrl: null })
  const again = await second.open()
  await again.signedIn.waitFor()
  expect([desk.count('login'), desk.count('refresh'), service.replayCount()]).toEqual([1, 1, 0])
  const refreshToken = (await storedToken(desk)) ?? ''
  expect(service.isRefreshTokenValid(refreshToken)).toBe(true)
  expect(desk.settings()).toMatchObject({ markers: { [entryNameOn(desk)]: 'stored' } })

  await again.signOut()
  await again.says('You’re signed out, here and at')
  expect(service.isRefreshTokenValid(refreshToken)).toBe(false)
  await expect.poll(() => keyring.lookup(entryNameOn(desk))).toBeUndefined()
  await expect.poll(() => desk.settings()).toHaveProperty('markers', {})
  expect(desk.count('logout')).toBe(1)
  await second.quit()

  await (await (await desk.start({ baseUrl: null })).open()).username.waitFor()
  expect(desk.count('login')).toBe(1)
})

it('after the window has closed, no renderer is left, and the app still refreshes the token', async () => {
  const { desk, app, window } = await openSignedIn({ service: SHORT })
  await window.close()

  const renderers = () => processTree(app.pid).filter((each) => typeOf(each) === 'renderer')
  await expect.poll(renderers).toEqual([])

  const before = desk.count('refresh')
  await expect.poll(() => desk.count('refresh'), { timeout: 100_000 }).toBeGreaterThan(before)
  expect(desk.service.replayCount()).toBe(0)
  expect(renderers()).toEqual([])

  await expect(app.startAgain()).resolves.toBe(0)
  await (await app.open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
})
