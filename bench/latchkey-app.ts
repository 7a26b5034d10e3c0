/** The built app itself, signed in, with its window closed; and the bare server in the same Electron. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ANA } from '../demo/users.ts'
import { type Keyring, startKeyring } from '../test/keyring/keyring.ts'
import { install, launch } from '../test/support/app.ts'
import prepare, { ordinaryFolder, ordinaryUser } from '../test/support/ordinary-user.ts'
import { LatchkeyWindow } from '../test/support/window.ts'
import type { BareOrder } from './servers/bare-server.ts'

export interface LatchkeyApp {
  readonly socket: string
  /** Of the bare server. */
  readonly bareSocket: string
  stop(): Promise<void>
}

type Answer = Pick<BareOrder, 'headers' | 'body'>

/** Throws where no Electron, no display or no keychain is there. */
export async function startLatchkeyApp(baseAddress: string, answer: Answer): Promise<LatchkeyApp> {
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one()
  }
  try {
    undo.push(prepare())
    const installation = install()
    undo.push(() => installation.remove())
    const keyring = await startKeyring({ ...ordinaryUser() })
    undo.push(() => keyring.stop())
    const start = async (options: Pick<Parameters<typeof launch>[0], 'installation' | 'env'>) => {
      const data = ordinaryFolder('bench')
      undo.push(() => data.remove())
      const running = await launch({ ...options, dataFolder: data.path })
      undo.push(() => running.quit())
      return { running, socket: path.join(data.path, 'agent.sock') }
    }
    const { running, socket } = await start({
      installation,
      env: { ...environment(keyring), LATCHKEY_BASE_URL: baseAddress },
    })
    const window = await LatchkeyWindow.of(running.app)
    await window.signIn(ANA)
    await window.close()
    const folder = ordinaryFolder('bare')
    undo.push(() => folder.remove())
    writeBareApp(folder.path, answer)
    const bare = await start({ installation: { ...installation, appFolder: folder.path }, env: environment(keyring) })
    while (!existsSync(bare.socket)) await sleep(20)
    return { socket, bareSocket: bare.socket, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const environment = ({ env }: Keyring) => ({ ...env, TMPDIR: env.HOME })

/** Electron has its own event loop, which costs whatever listens there some time: this tells how much. */
function writeBareApp(folder: string, { headers, body }: Answer): void {
  const main = `
const { createServer } = require('node:http')
const { app } = require('electron')
const server = createServer((_, response) => {
  response.writeHead(200, ${JSON.stringify(headers)})
  response.end(${JSON.stringify(body)})
})
app.whenReady().then(() => server.listen({ path: app.getPath('userData') + '/agent.sock', backlog: 1024 }))
`
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.cjs' }))
  writeFileSync(path.join(folder, 'main.cjs'), main)
}
