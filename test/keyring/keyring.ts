/** A private D-Bus session with a real gnome-keyring. The user's own session isn't touched, and no file is left. */
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onBus } from './bus.ts'
import { type Daemon, run, startDaemon, until } from './programs.ts'
import { type SilentPrompter, startSilentPrompter } from './prompter.ts'
import { defaultCollection, lockDefault, unlockDefault } from './secret-service.ts'

export type KeyringState =
  | 'unlocked'
  | 'locked'
  /** The Secret Service has no default collection. */
  | 'uncreated'
  /** No Secret Service is on the bus. */
  | 'noService'
  | 'noBus'

interface KeyringOptions {
  readonly state?: KeyringState
  /** The user who runs all programs of the session. Only root can choose another user. */
  readonly uid?: number
  readonly gid?: number
}

export type Keyring = Awaited<ReturnType<typeof startKeyring>>

const PASSWORD = 'only for tests'

export async function startKeyring({ state = 'unlocked', uid, gid }: KeyringOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-keyring-'))
  const inside = (name: string): string => {
    const path = join(folder, name)
    mkdirSync(path, { mode: 0o700 })
    if (uid !== undefined) chownSync(path, uid, gid ?? uid)
    return path
  }
  if (uid !== undefined) chownSync(folder, uid, gid ?? uid)
  const runtime = inside('run')
  const address = `unix:path=${join(runtime, 'bus')}`
  const env = {
    DBUS_SESSION_BUS_ADDRESS: address,
    HOME: inside('home'),
    XDG_DATA_HOME: inside('data'),
    XDG_RUNTIME_DIR: runtime,
  }
  const runAs = { env, uid, gid: gid ?? uid }
  let bus: Daemon | undefined
  let service: Daemon | undefined
  const prompters: SilentPrompter[] = []

  const startServiceWith = async (args: readonly string[], input: string): Promise<void> => {
    service = startDaemon('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...args], runAs, input)
    const started = service
    const created = input !== ''
    await until(
      async () => (await defaultCollection(address)) !== '/' || !created,
      () => `gnome-keyring-daemon did not start: ${started.said()}`,
    )
  }

  const startBus = async (): Promise<void> => {
    const started = startDaemon('dbus-daemon', ['--nofork', `--config-file=${writeConfig(folder, address)}`], runAs)
    bus = started
    await until(
      () => onBus(address, async () => true),
      () => `dbus-daemon did not start: ${started.said()}`,
    )
  }

  const keyring = {
    env,
    get pids(): readonly number[] {
      return [bus, service].flatMap((daemon) => (daemon === undefined ? [] : [daemon.pid]))
    },
    lock: () => lockDefault(address),
    unlock: () => unlockDefault(address, PASSWORD),
    async lookup(account: string): Promise<string | undefined> {
      const args = ['lookup', 'service', 'Latchkey', 'account', account]
      const { code, stdout, stderr } = await run('secret-tool', args, runAs)
      if (stderr !== '') throw new Error(`secret-tool: ${stderr}`)
      return code === 0 ? stdout : undefined
    },
    /** Writes an entry as another program would; `undefined` removes it. */
    async put(account: string, value: string | undefined): Promise<void> {
      const attributes = ['service', 'Latchkey', 'account', account]
      const schema = ['xdg:schema', 'org.freedesktop.Secret.Generic']
      const args =
        value === undefined ? ['clear', ...attributes] : ['store', '--label=Latchkey', ...attributes, ...schema]
      const { code, stderr } = await run('secret-tool', args, runAs, value)
      if (code !== 0) throw new Error(`secret-tool: ${stderr}`)
    },
    startService: () => startServiceWith(['--unlock'], PASSWORD),
    /** Stops the Secret Service. Its entries stay on the disk. */
    async stopService(): Promise<void> {
      await service?.stop()
      service = undefined
    },
    async restartService(): Promise<void> {
      await keyring.stopService()
      await keyring.startService()
    },
    async startSilentPrompter(): Promise<SilentPrompter> {
      const prompter = await startSilentPrompter(address)
      prompters.push(prompter)
      return prompter
    },
    async stop(): Promise<void> {
      for (const prompter of prompters) prompter.stop()
      await keyring.stopService()
      await bus?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  try {
    if (state === 'noBus') return keyring
    await startBus()
    if (state === 'noService') return keyring
    if (state === 'uncreated') await startServiceWith(['--start'], '')
    else await keyring.startService()
    if (state === 'locked') await keyring.lock()
    return keyring
  } catch (error) {
    await keyring.stop()
    throw error
  }
}

/** Writes the bus's configuration. It names no service folders, so the bus itself never starts a program. */
function writeConfig(folder: string, address: string): string {
  const path = join(folder, 'bus.conf')
  writeFileSync(
    path,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
  </policy>
</busconfig>
`,
    { mode: 0o644 },
  )
  return path
}
