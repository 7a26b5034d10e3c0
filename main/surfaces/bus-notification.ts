/** Shows a notification on a Linux desktop over D-Bus (Desktop Notifications Specification 1.2). */
import type { Message, MessageBus, MessageLike } from '@jellybrick/dbus-next'
import * as v from 'valibot'
import type { Sentence } from '../../text/sentence.ts'
import { type Bus, callOn, openBus, ownerChanges, receiveMessages, replyOn } from '../dbus/session-bus.ts'

const NAME = 'org.freedesktop.Notifications'
const DAEMON_OBJECT = { destination: NAME, path: '/org/freedesktop/Notifications', interface: NAME }
const SIGNALS = [ownerChanges(NAME), `type='signal',sender='${NAME}',interface='${NAME}'`]
const CLICK = 'default'
/** This value lets the daemon decide how long the notification stays. */
const DEFAULT_EXPIRY = -1
const NORMAL = 1
const APP = 'Latchkey'
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const capabilitiesReply = v.tuple([v.array(v.string())])
const idReply = v.tuple([v.number()])
const ownerChange = v.looseTuple([v.literal(NAME)])
const click = v.looseTuple([v.number(), v.literal(CLICK)])
const closing = v.looseTuple([v.number()])

export interface BusNotification {
  readonly bus: Bus
  readonly sentence: Sentence
  readonly desktopEntry: string | undefined
  readonly onShown: () => void
  readonly onClick: () => void
  /** Called when the notification disappears, unless the app itself has closed it. */
  readonly onGone: () => void
}

/** Never waits: with Electron's notifications, a hanging daemon stops the app for minutes (electron/electron#48753). */
export function showOverBus({ bus, sentence, desktopEntry, ...on }: BusNotification): () => void {
  const connection = new AbortController()
  const hangUp = () => connection.abort()
  const over = new AbortController()
  let withdraw = hangUp
  let shown: { readonly id: number; readonly daemon: string | undefined } | undefined
  const early: Message[] = []

  const gone = () => {
    over.abort()
    hangUp()
    on.onGone()
  }
  const hear = (message: Message) => {
    if (over.signal.aborted) return
    const { member, body } = message
    if (member === 'NameOwnerChanged' && v.is(ownerChange, body)) {
      // A new daemon doesn't know this notification, and may give its id to another one.
      if (shown !== undefined) gone()
    } else if (message.interface !== NAME) return
    else if (shown === undefined) early.push(message)
    // SECURITY: ignores signals that another program sends to this connection.
    else if (message.sender !== shown.daemon) return
    else if (member === 'ActionInvoked' && v.is(click, body) && body[0] === shown.id) {
      on.onClick()
      gone()
    } else if (member === 'NotificationClosed' && v.is(closing, body) && body[0] === shown.id) gone()
  }
  const notify = async (bus: MessageBus) => {
    await receiveMessages(bus, SIGNALS, hear)
    const capabilities = await callOn(bus, { ...DAEMON_OBJECT, member: 'GetCapabilities' })
    const message = await notifyMessage(sentence, desktopEntry, v.parse(capabilitiesReply, capabilities)[0])
    if (over.signal.aborted) return
    // From here on, the notification can only be closed with its id, which the daemon's reply contains.
    withdraw = () => {}
    const reply = await replyOn(bus, message)
    const [id] = v.parse(idReply, reply?.body)
    withdraw = () => void close(bus, id).then(hangUp, hangUp)
    if (over.signal.aborted) return withdraw()
    shown = { id, daemon: reply?.sender }
    on.onShown()
    for (const signal of early) hear(signal)
  }
  openBus(bus, connection.signal).then(notify).catch(hangUp)

  return () => {
    if (over.signal.aborted) return
    over.abort()
    withdraw()
  }
}

/** The flags for a message that wants no reply and doesn't start a daemon (D-Bus specification: Message Format). */
const NO_REPLY_NO_START = 3

const close = (bus: MessageBus, id: number): Promise<unknown> =>
  callOn(bus, {
    ...DAEMON_OBJECT,
    member: 'CloseNotification',
    flags: NO_REPLY_NO_START,
    signature: 'u',
    body: [id],
  })

async function notifyMessage(
  { title, body }: Sentence,
  desktopEntry: string | undefined,
  capabilities: readonly string[],
): Promise<MessageLike> {
  const { Variant } = await import('@jellybrick/dbus-next')
  const hints = {
    urgency: new Variant('y', NORMAL),
    'suppress-sound': new Variant('b', true),
    ...(desktopEntry === undefined ? {} : { 'desktop-entry': new Variant('s', desktopEntry) }),
  }
  const text = capabilities.includes('body-markup') ? body.replace(/[&<>]/g, (each) => ESCAPES[each] ?? '') : body
  // Some daemons show a notification with actions as a dialog. They don't list `actions` among their capabilities.
  const actions = capabilities.includes('actions') ? [CLICK, APP] : []
  return {
    ...DAEMON_OBJECT,
    member: 'Notify',
    signature: 'susssasa{sv}i',
    body: [APP, 0, '', title, text, actions, hints, DEFAULT_EXPIRY],
  }
}
