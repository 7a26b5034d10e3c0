/** A real Jupyter notebook, whose kernel gets its tokens from Latchkey. */
import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { PATH, requireProgram } from '../integration/cli/programs.ts'
import { startDaemon, until } from '../keyring/programs.ts'
import { ROOT } from '../support/app.ts'
import { startChromium } from '../support/chromium.ts'
import { tcpServer } from '../support/local-servers.ts'
import { ordinaryUser, own } from '../support/ordinary-user.ts'

const SIZE = { width: 800, height: 420 }

/** The notebook's code, as docs/users/recipes/python.md recommends it. */
const cells = (address: string) => [
  `import requests
from latchkey_desktop import RequestsAuth

api = requests.Session()
api.auth = RequestsAuth()`,
  `for table in api.get("${address}/v1/tables").json():
    print(f"{table['table']:<12}{table['rows']:>10,}")`,
]

export interface NotebookOptions {
  /** A folder that the notebook's user can read. */
  readonly folder: string
  /** The data folder of the running Latchkey. */
  readonly dataFolder: string
  readonly service: string
  readonly env: Readonly<Record<string, string>>
}

/** The notebook after all cells have run, as PNG. */
export async function pictureOfNotebook({ folder, dataFolder, service, env }: NotebookOptions): Promise<Buffer> {
  const home = path.join(folder, 'notebook')
  mkdirSync(home)
  own(home)
  cpSync(path.join(ROOT, 'clients/python/latchkey_desktop'), path.join(home, 'latchkey_desktop'), { recursive: true })
  writeFileSync(path.join(home, 'tables.ipynb'), JSON.stringify(notebookOf(cells(service))))
  own(path.join(home, 'tables.ipynb'))

  const port = await freePort()
  const token = randomUUID()
  const address = ['--ip=127.0.0.1', `--port=${port}`, '--port-retries=0']
  const args = ['-m', 'notebook', '--no-browser', ...address, `--notebook-dir=${home}`]
  const server = startDaemon(requireProgram('python3'), args, {
    env: {
      ...env,
      HOME: home,
      PATH,
      LATCHKEY_SOCKET: path.join(dataFolder, 'agent.sock'),
      REQUESTS_CA_BUNDLE: env['SSL_CERT_FILE'] ?? '',
      // SECURITY: without a token, another user of this machine could run code in the kernel.
      JUPYTER_TOKEN: token,
    },
    ...ordinaryUser(),
  })
  const browser = await startChromium()
  try {
    await until(
      () => server.said().includes(`127.0.0.1:${port}/`),
      () => `Jupyter did not start (apt-get install python3-notebook):\n${server.said()}`,
    )
    const page = await browser.context.newPage()
    await page.setViewportSize(SIZE)
    await page.goto(`http://127.0.0.1:${port}/notebooks/tables.ipynb?token=${token}`)
    await runAll(page)
    // Jupyter trusts a notebook once it has been saved and loaded again.
    await page.reload()
    await ready(page)
    return await page.screenshot()
  } finally {
    await browser.stop()
    await server.stop()
  }
}

async function runAll(page: Page): Promise<void> {
  await ready(page)
  await page.evaluate(() => (globalThis as unknown as JupyterPage).Jupyter.notebook.execute_all_cells())
  await page.getByText(/^orders /).waitFor()
  await page.getByText('In [2]:').waitFor()
  await page.evaluate(() => (globalThis as unknown as JupyterPage).Jupyter.notebook.save_notebook())
}

/** Waits until the kernel is idle, and the notifications about it and about autosave are gone. */
async function ready(page: Page): Promise<void> {
  await page.locator('#kernel_indicator_icon.kernel_idle_icon').waitFor()
  for (const name of ['kernel', 'autosave']) await page.locator(`#notification_${name}`).waitFor({ state: 'hidden' })
}

/** The part of Jupyter's interface that this file uses. */
interface JupyterPage {
  readonly Jupyter: { readonly notebook: { execute_all_cells(): void; save_notebook(): Promise<void> } }
}

const notebookOf = (sources: readonly string[]) => ({
  nbformat: 4,
  nbformat_minor: 4,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  cells: sources.map((source) => ({ cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source })),
})

async function freePort(): Promise<number> {
  const { port, stop } = await tcpServer(() => {})
  stop()
  return port
}
