import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { isPackaged } from '../support/app.ts'
import { renew } from '../support/entry.ts'
import { type Evidence, evidence, filesUnder, findLeaks, tokensAsSecrets } from '../support/leaks.ts'
import { environmentOf, isSandboxHelper, memoryOf, type Process, processTree, typeOf } from '../support/processes.ts'
import { heapOf, recordMessages, storagesOf } from '../support/renderer.ts'
import { openTestDesktop, type TestDesktop, type TestDesktopApp } from '../support/test-desktop.ts'
import type { LatchkeyWindow } from '../support/window.ts'

const WRONG = 'noisy harbour lamp'
const NEW = 'giraffe lantern 7'
const CLIENT_SECRET = 'ginger-otter-4711'
const PASSWORDS = [
  { name: 'client secret', value: CLIENT_SECRET },
  { name: 'password', value: ANA.password },
  { name: 'wrong password', value: WRONG },
  { name: 'new password', value: NEW },
]

const files = ({ dataFolder, home }: TestDesktop): Evidence[] => [...filesUnder(dataFolder), ...filesUnder(home)]
const printed = (app: TestDesktopApp): Evidence => evidence('what it printed', app.printed())

/** True if the process is the sandbox helper and only root can see its environment. */
const keepsForRoot = (each: Process): boolean =>
  isSandboxHelper(each) && statSync(`/proc/${each.pid}/environ`).uid === 0

const environment = (each: Process): Evidence => ({
  place: `the environment of ${typeOf(each)}`,
  bytes: (keepsForRoot(each) ? undefined : environmentOf(each)) ?? Buffer.alloc(0),
})

async function surfaces(app: TestDesktopApp): Promise<Evidence[]> {
  const own = await app.app.evaluate(() => JSON.stringify(process.env))
  const seen = processTree(app.pid).flatMap((each) => [
    evidence(`the command line of ${typeOf(each)}`, each.commandLine),
    environment(each),
  ])
  return [evidence('the environment of main', own), ...seen]
}

const everything = async (desk: TestDesktop, app: TestDesktopApp, { page }: LatchkeyWindow): Promise<Evidence[]> => [
  await heapOf(page),
  await storagesOf(page),
  ...(await surfaces(app)),
  ...files(desk),
  printed(app),
]

/** True for the keychain's process, whose memory must contain entries. `keyring-restart.test.ts` searches it. */
const isKeychain = ({ commandLine }: { readonly commandLine: string }): boolean =>
  commandLine.includes('--utility-sub-type=node.mojom.NodeService')

const memories = (app: TestDesktopApp): Evidence[] =>
  processTree(app.pid)
    .filter((each) => each.pid !== app.pid && !isKeychain(each))
    .flatMap((each) =>
      (memoryOf(each) ?? []).map((bytes): Evidence => ({ place: `the memory of ${typeOf(each)}`, bytes })),
    )

it('SECURITY: a whole run leaves no password and no token in files, output, processes, or the window', async () => {
  const desk = await openTestDesktop()
  const { service } = desk
  const app = await desk.start({ env: { LATCHKEY_SSO_CLIENT_SECRET: CLIENT_SECRET } })
  const window = await app.open()
  const messages = await recordMessages(app.app)

  await window.trySignIn({ username: ANA.username, password: WRONG })
  await window.alert.waitFor()
  await window.signIn(ANA)
  for (let times = 0; times < 3; times++) await renew(desk, window)
  await window.choose('Change password')
  await window.tryChangePassword({ current: WRONG, next: NEW })
  await window.says('The current password is wrong.')
  await window.tryChangePassword({ current: ANA.password })
  await window.says('Password changed.')

  const tokens = () => tokensAsSecrets(service.issuedSecrets())
  const secrets = () => [...tokens(), ...PASSWORDS]
  expect(findLeaks(secrets(), await everything(desk, app, window))).toEqual([])
  expect(findLeaks(tokens(), memories(app))).toEqual([])

  await window.signOut()
  await window.says('You’re signed out, here and at')
  expect(findLeaks(secrets(), await everything(desk, app, window))).toEqual([])

  const recorded = await messages()
  const channels = new Set(recorded.map(({ channel }) => channel))
  const calls = ['signIn', ...(isPackaged() ? ['setSwitch'] : []), 'refreshNow', 'changePassword', 'signOut']
  expect(channels).toEqual(new Set(['latchkey:view', ...calls.map((name) => `latchkey:${name}`)]))
  const received = recorded.map(({ channel, args }) => evidence(`a message on ${channel}`, args))
  expect(findLeaks(secrets(), received)).toEqual([])

  await app.quit()
  expect(findLeaks(secrets(), [...files(desk), printed(app)])).toEqual([])
})

it('SECURITY: after the window has closed, typed text is left only in the main process', async () => {
  const desk = await openTestDesktop()
  const app = await desk.start()
  const window = await app.open()
  await window.password.focus()
  await window.page.keyboard.type(WRONG)
  await window.close()
  await expect.poll(() => processTree(app.pid).filter((each) => typeOf(each) === 'renderer')).toEqual([])
  await app.startAgain()
  const { page, username } = await app.open()
  await username.waitFor()
  const typed = [{ name: 'password', value: WRONG }]
  expect(findLeaks(typed, [await heapOf(page), await storagesOf(page), ...memories(app), printed(app)])).toEqual([])
})

it('the search finds a planted secret in each place that it searches', async () => {
  const desk = await openTestDesktop()
  const planted = (name: string) => `canary-in-${name}-4711`
  const app = await desk.start({ env: { CANARY: planted('environment') } })
  const window = await app.open()
  const messages = await recordMessages(app.app)
  await window.page.evaluate((heap) => Object.assign(globalThis, { canary: [heap] }), planted('heap'))
  await app.app.evaluate(({ BrowserWindow }, message) => {
    BrowserWindow.getAllWindows()[0]?.webContents.send('canary', message)
  }, planted('message'))
  writeFileSync(path.join(desk.dataFolder, 'canary.bin'), Buffer.from(planted('file'), 'utf16le'))

  const received = (await messages()).map(({ channel, args }) => evidence(`a message on ${channel}`, args))
  const places = [...(await everything(desk, app, window)), ...memories(app), ...received]
  const found = (name: string) => findLeaks([{ name, value: planted(name) }], places)
  expect(found('heap')).toContain('heap (plain) in the heap snapshot')
  expect(found('message')).toContain('message (plain) in a message on canary')
  expect(found('environment')).toContain('environment (plain) in the environment of main')
  expect(found('file')).toContain(`file (UTF-16) in ${desk.dataFolder}/canary.bin`)
  // Only root can see a sandboxed process's memory.
  if (process.getuid?.() === 0) expect(found('heap')).toContain('heap (plain) in the memory of renderer')
})
