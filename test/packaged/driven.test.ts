/** The packaged app on any of its systems, by what every one of them has. */
import { expect, it, onTestFinished } from 'vitest'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { install, launch } from '../support/app.ts'
import { ordinaryFolder } from '../support/ordinary-user.ts'
import { systemVariables } from '../support/system.ts'
import { LatchkeyWindow } from '../support/window.ts'

/** On Linux it is to find no keychain: there is a desk for that. */
const system = () => (process.platform === 'linux' ? { DBUS_SESSION_BUS_ADDRESS: 'disabled:' } : systemVariables())

it('the packaged app opens, is packaged, and signs in', async () => {
  const service = await startDemoService()
  onTestFinished(() => service.stop())
  const installation = install()
  onTestFinished(() => installation.remove())
  const folder = ordinaryFolder('data')
  onTestFinished(() => folder.remove())
  const env = { ...system(), HOME: folder.path, TMPDIR: folder.path, LATCHKEY_BASE_URL: service.address }
  const running = await launch({ installation, dataFolder: folder.path, env })
  const window = await LatchkeyWindow.of(running.app)
  await window.signIn(ANA)
  expect(await running.app.evaluate(({ app }) => [app.isPackaged, app.getName()])).toEqual([true, 'Latchkey'])
  expect(service.requests.map(({ operation, status }) => `${operation} ${status}`)).toEqual(['login 200'])
  await running.quit()
})
