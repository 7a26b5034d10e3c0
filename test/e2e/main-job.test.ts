import { afterAll, beforeAll, expect, it } from 'vitest'
import { ANA } from '../../demo/users.ts'
import { type DemoService, startDemoService } from '../../demo/service.ts'
import { type Keyring, startKeyring } from '../keyring/keyring.ts'
import { type Installation, install, launch } from '../support/app.ts'
import { ordinaryUser, ordinaryFolder } from '../support/ordinary-user.ts'

let installation: Installation
let keyring: Keyring
let service: DemoService

beforeAll(async () => {
  installation = install()
  keyring = await startKeyring({ ...ordinaryUser() })
  service = await startDemoService({ tokenLifetime: 5 })
})
afterAll(async () => {
  await service?.stop()
  await keyring?.stop()
  installation?.remove()
})

it('first', async () => {
  const data = ordinaryFolder('data')
  const running = await launch({
    installation,
    dataFolder: data.path,
    env: { ...keyring.env, LATCHKEY_BASE_URL: service.address },
  })
  const page = await running.window()
  await page.getByLabel('Username').fill(ANA.username)
  await page.getByLabel('Password', { exact: true }).fill(ANA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: /Signed in as/ }).waitFor()
  await page.screenshot({ path: '/tmp/first.png' })
  await running.quit()
  console.log(running.printed())
  expect(service.requests.length).toBeGreaterThan(0)
  data.remove()
})
