import { answerCall } from './answer-call.ts'
import { type Answer, parseCall } from './child-messages.ts'
import type { Child } from './conversation.ts'
import type { Keytar } from './keytar-store.ts'
import { messageOf } from './storable.ts'

/** What is spoken to like a process of its own, and is none. */
export interface Here extends Child {
  /** A native call is under way, which nothing can end. */
  readonly isBusy: boolean
}

/**
 * Keytar in the app's own process, spoken to as if it had one. It ends never; killed, it is heard no more, and a
 * call that is under way goes on.
 *
 * @param load may reject: libsecret is missing.
 */
export function keytarHere(load: () => Promise<Keytar>): Here {
  let loading: Promise<Keytar> | undefined
  let calls = 0
  let hear: (answer: Answer) => void = () => {}
  const make = async (message: unknown): Promise<void> => {
    const call = parseCall(message)
    if (call === undefined || loading === undefined) return
    calls += 1
    // A module that can't be loaded has ended the conversation before.
    const answer = await loading.then(
      (keytar) => answerCall(keytar, call),
      () => undefined,
    )
    calls -= 1
    if (answer !== undefined) hear(answer)
  }
  return {
    get isBusy() {
      return calls > 0
    },
    send: (message) => void make(message),
    onMessage(listen) {
      hear = listen
      loading = load()
      loading.then(
        () => hear({ kind: 'ready' }),
        (error: unknown) => hear({ kind: 'unloadable', cause: messageOf(error) }),
      )
    },
    onExit() {},
    kill() {
      hear = () => {}
    },
  }
}
