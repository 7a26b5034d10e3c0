/** The IPC channels between the window and the main process. */
import type { CallName } from './calls.ts'

/** The channel of a call. Each call has its own channel. */
export const channelOf = (name: CallName): string => `latchkey:${name}`
export const VIEW_CHANNEL = 'latchkey:view'
export const SUBSCRIBE_CHANNEL = 'latchkey:subscribe'
