import { Notification } from 'electron'
import type { Texts } from '../../text/index.ts'
import type { Sentence } from '../../text/sentence.ts'
import type { ViewStore } from '../app/view-store.ts'
import type { Clock } from '../base/clock.ts'
import { type KeyValueStore, remembered } from '../base/key-value-store.ts'
import { AnnouncedEnds } from './announced-ends.ts'
import { type BusNotification, showOverBus } from './bus-notification.ts'
import { NoTray } from './no-tray.ts'
import { type Notice, Notifier, nextWarning, notificationModel, type Topic } from './notices.ts'
import { askTrayHost } from './tray-host.ts'
import type { MainWindow } from './window.ts'

export interface NotificationsPorts {
  readonly views: Pick<ViewStore, 'view' | 'subscribe'>
  readonly window: Pick<MainWindow, 'show' | 'isInFront' | 'onOpenChange'>
  readonly sessions: { show(name: string): void }
  readonly store: KeyValueStore
  readonly texts: Texts
  readonly clock: Clock
  readonly platform: NodeJS.Platform
}

export class Notifications {
  readonly #ports: NotificationsPorts
  readonly #noTray: NoTray
  readonly #notifier: Notifier
  readonly #announcedEnds: AnnouncedEnds
  #undo: readonly (() => void)[] = []
  #cancelWarning = (): void => {}

  constructor(ports: NotificationsPorts) {
    const { window, store, clock, platform } = ports
    this.#ports = ports
    this.#noTray = new NoTray({
      ask: async () => (platform === 'linux' ? askTrayHost({ clock }) : 'unknown'),
      told: remembered(store, 'toldNoTray'),
      onChange: () => this.#render(),
    })
    this.#announcedEnds = new AnnouncedEnds(remembered(store, 'toldEnds'))
    this.#notifier = new Notifier({
      clock,
      show: (notice, onGone) => this.#show(notice, onGone),
      isWatched: () => window.isInFront,
    })
  }

  start(): void {
    const { views, window } = this.#ports
    this.#undo = [
      views.subscribe(() => this.#render()),
      window.onOpenChange((isOpen) => {
        if (isOpen) this.#noTray.windowOpened()
        else void this.#noTray.windowClosed()
      }),
    ]
  }

  stop(): void {
    for (const each of this.#undo) each()
    this.#cancelWarning()
    this.#noTray.stop()
    this.#notifier.render([])
  }

  #render(): void {
    const { views, texts, clock } = this.#ports
    const now = clock.wall()
    const isTold = (connection: string, end: number) => this.#announcedEnds.isTold(connection, end)
    const { connections } = views.view
    const signingIn = connections.flatMap(({ name, session }) => (session.kind === 'signingIn' ? [name] : []))
    const context = { now, hasNoTray: this.#noTray.isDue, isTold }
    this.#notifier.render(notificationModel(views.view, texts, context), signingIn)
    this.#cancelWarning()
    const next = nextWarning(views.view, now)
    this.#cancelWarning = next === undefined ? () => {} : clock.at(clock.now() + next - now, () => this.#render())
  }

  #show(notice: Notice, onGone: () => void): () => void {
    const { window, sessions, platform } = this.#ports
    const { topic, connection, end } = notice
    const on: Shown = {
      onShown: () => {
        if (topic === 'noTray') this.#noTray.markShown()
        if (connection !== undefined && end !== undefined) this.#announcedEnds.shown(connection, end)
      },
      onClick: () => {
        if (connection !== undefined) sessions.show(connection)
        window.show(ASK_FOR_SIGN_IN.includes(topic) ? 'signIn' : undefined)
      },
      onGone: () => {
        this.#announcedEnds.gone(connection)
        onGone()
      },
    }
    const close =
      platform === 'linux'
        ? showOverBus({ bus: 'session', sentence: notice, desktopEntry: desktopEntry(process.env), ...on })
        : showWithElectron(notice, on)
    return () => {
      this.#announcedEnds.gone(connection)
      close()
    }
  }
}

const ASK_FOR_SIGN_IN: readonly Topic[] = ['signIn', 'endsSoon', 'ended', 'needed']

/** Electron sets the variable to the file name of the app's desktop entry (Electron: app.setDesktopName). */
const desktopEntry = (env: NodeJS.ProcessEnv) => env['CHROME_DESKTOP']?.replace(/\.desktop$/, '')

type Shown = Pick<BusNotification, 'onShown' | 'onClick' | 'onGone'>

/** Electron frees a notification to which nothing refers, together with its click listener. */
const held = new Set<Notification>()

/** Shows a notification and returns a function that closes it. This isn't used on Linux: see `showOverBus`. */
function showWithElectron({ title, body }: Sentence, { onShown, onClick, onGone }: Shown): () => void {
  if (!Notification.isSupported()) return () => {}
  const notification = new Notification({ title, body, silent: true })
  held.add(notification)
  const letGo = () => {
    if (held.delete(notification)) onGone()
  }
  notification.on('show', onShown)
  notification.on('click', () => {
    onClick()
    letGo()
  })
  notification.on('close', letGo)
  notification.show()
  return () => {
    held.delete(notification)
    notification.close()
  }
}
