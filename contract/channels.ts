import type { CallName } from './calls.ts'

export const channelOf = (name: CallName): string => `latchkey:${name}`
export const VIEW_CHANNEL = 'latchkey:view'
export const SUBSCRIBE_CHANNEL = 'latchkey:subscribe'
