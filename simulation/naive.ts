import type { RefreshToken } from '../main/base/secret.ts'
import { type Computer, signInDelay } from './computer.ts'
import type { Notes } from './fleet.ts'
import { MINUTE, SECOND, type Span } from './week.ts'

/** Tokens live for an hour, so this is five minutes before they expire. */
const INTERVAL = 55 * MINUTE
const RETRY = 5 * SECOND

export function runNaive(computer: Computer, stored: RefreshToken, days: readonly Span[], notes: Notes): void {
  const { name, random } = computer
  let token = stored
  let expiresAt = 0
  let isAway = false
  const later = (delay: number, act: () => Promise<void>) => computer.at(computer.now() + delay, () => void act())
  const take = (refreshToken: RefreshToken | undefined) => {
    if (isAway) notes.back(name, computer.now())
    isAway = false
    token = refreshToken ?? token
    expiresAt = computer.now() + 60 * MINUTE
    later(INTERVAL, refresh)
  }
  const refresh = async (): Promise<void> => {
    const answer = await computer.refresh(token)
    if (answer.ok) take(answer.value.refreshToken)
    else if (answer.failure.code === 'sessionEnded') {
      isAway = false
      notes.sessionLost(name)
      later(signInDelay(random), signIn)
    } else {
      isAway = true
      notes.away(name, computer.now(), expiresAt <= computer.now())
      later(RETRY, refresh)
    }
  }
  const signIn = async (): Promise<void> => {
    const answer = await computer.login()
    if (answer.ok) take(answer.value.refreshToken)
    else later(signInDelay(random), signIn)
  }
  computer.live(days, { started: () => void refresh(), woken: () => {} })
}
