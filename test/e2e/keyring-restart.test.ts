import { expect, it, vi } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { storedToken } from '../support/entry.ts'
import { evidence, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { memoryOf, type Process, processes, processTree } from '../support/processes.ts'
import { causeRefresh, SHORT_LIFETIME } from '../support/refreshes.ts'
import { openTestDesktop, type TestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'
import { sentences } from '../support/window.ts'

const texts = await sentences()

const SECRET = 'ginger-otter-4711'
const isRunning = ({ pid }: Process): boolean => processes().some((each) => each.pid === pid)

/** Waits for the keychain process, which the app starts only after its own first calls to the Secret Service. */
async function keychainProcessOf({ pid }: TestDesktopApp): Promise<Process> {
  const find = () => processTree(pid).find(({ commandLine }) => commandLine.includes('node.mojom.NodeService'))
  return (await vi.waitUntil(find, { timeout: 20_000, interval: 50 })) ?? expect.unreachable()
}

async function refreshed(desk: TestDesktop): Promise<void> {
  const written = await storedToken(desk)
  await causeRefresh(desk)
  await expect.poll(() => storedToken(desk)).not.toBe(written)
}

it('a restart of the keyring loses no token, even if the service accepts each refresh token only once', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: SHORT_LIFETIME, grace: 0 } })
  const { keyring, service } = desk
  const app = await desk.start()
  const window = await app.open()
  await window.signIn(ANA)
  const [before] = await Promise.all([keychainProcessOf(app), refreshed(desk)])
  await keyring.restartService()

  await refreshed(desk)
  await window.says(texts.session.kept.keychain)
  await expect.poll(() => isRunning(before)).toBe(false)
  await app.quit()
  expect(service.isRefreshTokenValid((await storedToken(desk)) ?? '')).toBe(true)

  await (await (await desk.start()).open()).signedIn.waitFor()
  expect(desk.count('login')).toBe(1)
  expect(service.replayCount()).toBe(0)
})

it('SECURITY: the keychain’s process gets no secret but refresh tokens, and ends when the app is killed', async () => {
  const desk = await openTestDesktop({ service: { tokenLifetime: SHORT_LIFETIME } })
  const app = await desk.start({ env: { LATCHKEY_SSO_CLIENT_SECRET: SECRET } })
  await (await app.open()).signIn(ANA)
  const [keychain] = await Promise.all([keychainProcessOf(app), refreshed(desk)])

  const secrets = [
    ...tokensAsSecrets(desk.service.issuedSecrets()),
    { name: 'password', value: ANA.password },
    { name: 'client secret', value: SECRET },
  ]
  expect(findLeaks(secrets, [evidence('its command line', keychain.commandLine)])).toEqual([])

  // Chromium overwrites what the kernel shows as a process's environment, so the test searches the whole memory.
  const memory = memoryOf(keychain) ?? []
  const holds = (text: string): boolean => memory.some((region) => region.includes(text))
  // Only root can see the memory of another user's process.
  if (process.getuid?.() === 0) expect(holds('DBUS_SESSION_BUS_ADDRESS=')).toBe(true)
  expect(holds('LATCHKEY_')).toBe(false)
  const held = secrets.filter(({ value }) => holds(value)).map(({ name }) => name)
  expect(held.filter((name) => !name.startsWith('refresh token'))).toEqual([])

  process.kill(app.pid, 'SIGKILL')
  await expect(app.ended()).rejects.toThrow('SIGKILL')
  await expect.poll(() => isRunning(keychain)).toBe(false)
})
