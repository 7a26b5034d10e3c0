/**
 * Drives the real window from the first sign-in to the sign-out, and saves a picture of each view.
 * `npm run look -- --tour`.
 */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { startDemoService, TABLES_PATH } from '../../demo/service.ts'
import { TABLES } from '../../demo/tables.ts'
import { ANA } from '../../demo/users.ts'
import { startKeyring } from '../keyring/keyring.ts'
import { install, launch, ROOT } from '../support/app.ts'
import prepare, { ordinaryFolder, ordinaryUser, own } from '../support/ordinary-user.ts'

/** In seconds: short, so that a refresh comes soon, but over 30 s, the minimum delay before a scheduled refresh. */
const TOKEN_LIFETIME = 45

const pictures = path.resolve('out/tour')
const undo: (() => unknown)[] = []
const began = performance.now()
let count = 0

async function step<T>(name: string, work: () => Promise<T>, page?: () => Page): Promise<T> {
  const start = performance.now()
  const result = await work()
  const file = `${String(++count).padStart(2, '0')}-${name.toLowerCase().replace(/[^a-z]+/g, '-')}.png`
  await page?.().screenshot({ path: path.join(pictures, file) })
  const ms = Math.round(performance.now() - start)
  console.log(`${String(ms).padStart(6)} ms  ${name}${page === undefined ? '' : `  → out/tour/${file}`}`)
  return result
}

async function tour(): Promise<void> {
  rmSync(pictures, { recursive: true, force: true })
  mkdirSync(pictures, { recursive: true })
  undo.push(prepare())
  if (ordinaryUser() !== undefined) {
    console.log('Running as root: the app runs as a throw-away ordinary user, with its sandbox.')
  }
  const installation = install()
  undo.push(() => installation.remove())
  const service = await step('Demo service starts', () => startDemoService({ tokenLifetime: TOKEN_LIFETIME }))
  undo.push(() => service.stop())
  const keyring = await step('Keychain starts', () => startKeyring({ ...ordinaryUser() }))
  undo.push(() => keyring.stop())
  const data = ordinaryFolder('tour')
  undo.push(() => data.remove())
  const options = { installation, dataFolder: data.path, env: { ...keyring.env, TMPDIR: keyring.env.HOME } }

  let page!: Page
  const current = () => page
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor()
  /** Runs a line as a notebook cell would: in a shell of the signed-in user. */
  const runCell = async (line: string): Promise<string> => {
    const commands = path.join(data.path, 'bin')
    mkdirSync(commands, { recursive: true })
    own(commands)
    copyFileSync(path.join(ROOT, 'cli/latchkey'), path.join(commands, 'latchkey'))
    const env = {
      PATH: `${commands}:${process.env['PATH']}`,
      LATCHKEY_SOCKET: path.join(data.path, 'agent.sock'),
      LATCHKEY_TOOL: 'orders.ipynb',
      DATA_URL: service.address,
    }
    return (await promisify(execFile)('sh', ['-c', line], { env, cwd: '/', ...ordinaryUser() })).stdout
  }
  const refreshes = () => service.requests.filter((request) => request.operation === 'refresh').length

  let running = await step('Latchkey starts', () => launch(options))
  undo.push(() => running.quit().catch(() => {}))
  await step(
    'First run asks for the service',
    async () => {
      page = await running.window()
      await page.getByLabel('Service address').fill(service.address)
    },
    current,
  )
  await step(
    'Connected',
    async () => {
      await button('Connect').click()
      await page.getByLabel('Username').fill(ANA.username)
    },
    current,
  )
  await step(
    'A wrong password is refused',
    async () => {
      await page.getByLabel('Password', { exact: true }).fill('not my password')
      await button('Sign in').click()
      await page.getByRole('alert').waitFor()
    },
    current,
  )
  await step(
    'Signed in',
    async () => {
      await page.getByLabel('Password', { exact: true }).fill(ANA.password)
      await button('Sign in').click()
      await heading(/^Signed in as /)
    },
    current,
  )
  await step(
    'A notebook reads the data',
    async () => {
      const answer = await runCell(`latchkey header | curl -sS --fail -H @- "$DATA_URL${TABLES_PATH}"`)
      const rows: unknown = JSON.parse(answer)
      if (!isDeepStrictEqual(rows, TABLES)) throw new Error(`The notebook read something else: ${answer}`)
      console.log(`           ${TABLES.length} rows, such as ${JSON.stringify(TABLES[0])}`)
      await page.getByText('orders.ipynb').waitFor()
    },
    current,
  )
  await step('The window is closed and the token refreshed without it', async () => {
    const before = refreshes()
    await page.close()
    while (refreshes() === before) await new Promise((resolve) => setTimeout(resolve, 100))
  })
  await step('Latchkey is quit', () => running.quit())
  await step(
    'Started again, signed in without a password',
    async () => {
      running = await launch(options)
      page = await running.window()
      await heading(/^Signed in as /)
    },
    current,
  )
  await step(
    'The service can’t be reached, the session is kept',
    async () => {
      await service.pause()
      await button('Renew now').click()
      await page
        .getByText(/can’t reach/i)
        .first()
        .waitFor()
    },
    current,
  )
  await step(
    'The service is back',
    async () => {
      await service.resume()
      await page
        .getByText(/can’t reach/i)
        .first()
        .waitFor({ state: 'detached' })
    },
    current,
  )
  const changing = 'a longer quiet harbour'
  await step(
    'The password can be changed',
    async () => {
      await button('Change password').click()
      await page.getByLabel('Current password').fill(ANA.password)
      await page.getByLabel('New password', { exact: true }).fill(changing)
      await page.getByLabel('Repeat new password').fill(changing)
      await page.getByText('Strong.', { exact: true }).waitFor()
    },
    current,
  )
  await step(
    'The password is changed, and the session continues',
    async () => {
      await button('Change password').click()
      await page.getByText('Password changed.').first().waitFor()
    },
    current,
  )
  await step(
    'Started with the keychain locked',
    async () => {
      await running.quit()
      await keyring.lock()
      running = await launch(options)
      page = await running.window()
      await heading('Your keyring is locked')
    },
    current,
  )
  await step(
    'The keychain is unlocked, and the session continues automatically',
    async () => {
      await keyring.unlock()
      await heading(/^Signed in as /)
    },
    current,
  )
  await step(
    'Signed out',
    async () => {
      await button('Sign out').click()
      await page.getByText('You’re signed out. The session has been ended.').waitFor()
    },
    current,
  )
}

try {
  await tour()
  console.log(`The tour took ${((performance.now() - began) / 1000).toFixed(0)} s.`)
} finally {
  for (const each of undo.reverse()) await each()
}
