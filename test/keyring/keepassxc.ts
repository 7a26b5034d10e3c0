import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startScreen } from '../support/xfce/screen.ts'
import type { Keyring } from './keyring.ts'
import { run, startDaemon, until } from './programs.ts'
import { defaultCollection } from './secret-service.ts'

export type KeePassXC = Awaited<ReturnType<typeof startKeePassXC>>

const PASSWORD = 'only for tests'
/** KeePassXC exposes the group that this field of the database names (src/fdosecrets/FdoSecretsSettings.cpp). */
const EXPOSED = 'FDO_SECRETS_EXPOSED_GROUP'
/** The settings of a user who has turned the Secret Service on. By default, KeePassXC then asks about each entry. */
const SETTINGS = `[General]
ConfigVersion=2
UpdateCheckMessageShown=true
[GUI]
CheckForUpdates=false
[FdoSecrets]
Enabled=true
ShowNotification=false
`

/** @param keyring A session bus without a Secret Service. */
export async function startKeePassXC({ env }: Keyring) {
  const display = await startScreen(env.HOME)
  // Only one KeePassXC can run for each TMPDIR, so this one gets a folder of its own.
  const runAs = { env: { ...env, TMPDIR: env.HOME, ...display.env } }
  const offscreen = { env: { ...runAs.env, QT_QPA_PLATFORM: 'offscreen' } }
  const inHome = (name: string) => join(env.HOME, name)
  mkdirSync(inHome('.config/keepassxc'), { recursive: true })
  writeFileSync(inHome('.config/keepassxc/keepassxc.ini'), SETTINGS)
  const cli = (args: readonly string[], input: string) => run('keepassxc-cli', args, offscreen, input)
  await cli(['db-create', '-p', inHome('empty.kdbx')], `${PASSWORD}\n${PASSWORD}\n`)
  const { stdout: xml } = await cli(['export', '-q', inHome('empty.kdbx')], `${PASSWORD}\n`)
  const root = Buffer.from(/<Root>.*?<UUID>(.*?)<\/UUID>/s.exec(xml)?.[1] ?? '', 'base64').toString('hex')
  const uuid = root.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const exposed = `<CustomData><Item><Key>${EXPOSED}</Key><Value>{${uuid}}</Value></Item></CustomData></Meta>`
  writeFileSync(
    inHome('db.xml'),
    xml.replace(/<CustomData\/>|<CustomData>.*?<\/CustomData>/s, '').replace('</Meta>', exposed),
  )
  await cli(['import', '-p', inHome('db.xml'), inHome('db.kdbx')], `${PASSWORD}\n${PASSWORD}\n`)

  const daemon = startDaemon('keepassxc', ['--pw-stdin', inHome('db.kdbx')], runAs, `${PASSWORD}\n`)
  await until(
    async () => (await defaultCollection(env.DBUS_SESSION_BUS_ADDRESS)) !== '/',
    () => `KeePassXC did not start: ${daemon.said()}`,
  )

  let key = 'Return'
  let last = ''
  let asked = 0
  const xdotool = (...args: string[]) => run('xdotool', args, runAs)
  const look = async () => {
    const { stdout } = await xdotool('search', '--onlyvisible', '--name', 'Access Request')
    const [window = ''] = stdout.split('\n')
    if (window === '') {
      last = ''
      return
    }
    if (window !== last) asked += 1
    last = window
    await xdotool('windowfocus', '--sync', window)
    await xdotool('key', key)
  }
  let looking: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => {})
  }, 100)

  return {
    get asked(): number {
      return asked
    },
    /** From now on, answers questions with *Allow Selected*, or closes them. */
    answers(answer: 'allow' | 'close'): void {
      key = answer === 'allow' ? 'Return' : 'Escape'
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      await looking
      await daemon.stop()
      await display.stop()
    },
  }
}
