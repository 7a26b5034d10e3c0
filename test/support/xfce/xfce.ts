/** A real `xfce4-panel` with its own bus, display and configuration. The user's own session isn't touched. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Message, Variant } from '@jellybrick/dbus-next'
import { connect } from '../../keyring/bus.ts'
import { startDaemon, until } from '../../keyring/programs.ts'
import { ordinaryFolder, ordinaryUser, own } from '../ordinary-user.ts'
import { type ItemAddress, propertyOf, trayItem, WATCHER } from '../panel.ts'
import { startScreen } from './screen.ts'

/** The D-Bus service file with the path of xfconf's daemon, which differs between distributions. */
const XFCONF = '/usr/share/dbus-1/services/org.xfce.Xfconf.service'
const AT_WATCHER = { destination: WATCHER, path: '/StatusNotifierWatcher' }
const HEIGHT = 32

export type Xfce = Awaited<ReturnType<typeof startXfce>>

/** Waits until the panel shows icons. `scale` is the number of screen pixels for each GTK pixel. */
export async function startXfce(busAddress: string, { scale = 1 } = {}) {
  if (!existsSync(XFCONF)) throw new Error('these tests need xfce4-panel: apt-get install xfce4-panel')
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (const each of undo.splice(0).reverse()) await each()
  }
  const begin = <T>(thing: T, end: (thing: T) => unknown): T => {
    undo.push(() => end(thing))
    return thing
  }
  try {
    const folder = begin(ordinaryFolder('xfce'), (each) => each.remove()).path
    const screen = begin(await startScreen(folder), (each) => each.stop())
    const env = {
      ...screen.env,
      DBUS_SESSION_BUS_ADDRESS: busAddress,
      HOME: folder,
      XDG_CONFIG_HOME: configure(folder),
      XDG_CACHE_HOME: folder,
      XDG_RUNTIME_DIR: folder,
      GDK_SCALE: String(scale),
      // Without this variable, the panel would start the accessibility bus, which outlives the panel.
      NO_AT_BRIDGE: '1',
    }
    const runAs = { env, ...ordinaryUser() }
    const xfconfd = /^Exec=(.*)$/m.exec(readFileSync(XFCONF, 'utf8'))?.[1] ?? 'xfconfd'
    begin(startDaemon(xfconfd, [], runAs), (each) => each.stop())
    const bus = begin(await connect(busAddress), (each) => each.disconnect())

    const watching = (name: string) => propertyOf(bus, AT_WATCHER, WATCHER, name)
    const panel = begin(startDaemon('xfce4-panel', ['--disable-wm-check'], runAs), (each) => each.stop())
    await until(
      async () => (await watching('IsStatusNotifierHostRegistered')) === true,
      () => `xfce4-panel did not start:\n${panel.said()}`,
    )

    const items = async () => (await watching('RegisteredStatusNotifierItems')) as readonly string[]
    return {
      env: { ...screen.env, XDG_CURRENT_DESKTOP: 'XFCE' },
      screen,
      panelArea: { x: 0, y: 0, width: screen.picture().width, height: HEIGHT * scale },
      items,
      item: trayItem(bus, async () => addressOf(await items())),
      async paint(look: 'dark' | 'light') {
        const body = ['xfce4-panel', '/panels/dark-mode', new Variant('b', look === 'dark')]
        const setting = { interface: 'org.xfce.Xfconf', member: 'SetProperty', signature: 'ssv', body }
        await bus.call(new Message({ destination: 'org.xfce.Xfconf', path: '/org/xfce/Xfconf', ...setting }))
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

function addressOf(items: readonly string[]): ItemAddress {
  const [only = '', ...others] = items
  const slash = only.indexOf('/')
  if (slash < 0 || others.length > 0) throw new Error(`the tray has these icons: ${items.join(', ')}`)
  return { destination: only.slice(0, slash), path: only.slice(slash) }
}

/** One panel along the top, with the tray at its right end. With `configver`, the first start asks no questions. */
function configure(folder: string): string {
  const config = path.join(folder, 'config')
  let inner = config
  for (const name of ['', 'xfce4', 'xfconf', 'xfce-perchannel-xml']) {
    inner = path.join(inner, name)
    mkdirSync(inner, { mode: 0o700 })
    own(inner)
  }
  const file = path.join(inner, 'xfce4-panel.xml')
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="dark-mode" type="bool" value="true"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="${HEIGHT}"/>
      <property name="plugin-ids" type="array">
        <value type="int" value="1"/>
        <value type="int" value="2"/>
        <value type="int" value="3"/>
      </property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="separator">
      <property name="expand" type="bool" value="true"/>
      <property name="style" type="uint" value="0"/>
    </property>
    <property name="plugin-2" type="string" value="systray"/>
    <property name="plugin-3" type="string" value="separator">
      <property name="style" type="uint" value="0"/>
    </property>
  </property>
</channel>
`,
  )
  own(file)
  return config
}
