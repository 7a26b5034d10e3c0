/** Sign-in at the identity provider in the system's browser. */

import type { Outcome } from '../../../contract/failures.ts'
import { GRANTS } from '../../../contract/grants.ts'
import { OVERTAKEN } from '../outcome.ts'
import type { Authorization, AuthorizationServer, CallbackListener, Clock } from '../ports.ts'
import { type Challenge, failed, type Grant, type GrantStep, stepOf } from './grant.ts'

export interface BrowserPorts {
  readonly listen: (isOurs: (parameters: URLSearchParams) => boolean) => Promise<Outcome<CallbackListener>>
  /** Opens the provider's page. */
  readonly open: (address: URL) => Promise<Outcome>
  /** Called when the callback has arrived. */
  readonly onReturn: () => void
  readonly clock: Clock
}

/** How long the user may take on the provider's page. */
const TIMEOUT_MS = 5 * 60_000

export const browserGrant = (server: AuthorizationServer, ports: BrowserPorts): Grant => ({
  description: GRANTS.browser,
  issuer: server.issuer,
  client: server.client,
  begin: (_, signal) => begin(server, ports, signal),
  refresh: (refreshToken) => server.refresh(refreshToken),
  // The request needs no access token, because the refresh token itself is sufficient proof (RFC 7009 section 2.1).
  revoke: (_, refreshToken) => server.revoke(refreshToken),
})

async function begin(server: AuthorizationServer, ports: BrowserPorts, signal?: AbortSignal): Promise<GrantStep> {
  let isOurs = (_: URLSearchParams): boolean => false
  const listening = await ports.listen((parameters) => isOurs(parameters))
  if (!listening.ok) return failed(listening.failure)
  const listener = listening.value
  if (signal?.aborted) {
    listener.close()
    return failed(OVERTAKEN.failure)
  }
  // Close the listener immediately: if the settings specify its port, the next sign-in needs the same port.
  signal?.addEventListener('abort', () => listener.close(), { once: true })
  // `isOurs` doesn't accept a callback yet, so `received` resolves only when the listener is closed.
  const closed = listener.received.then(() => OVERTAKEN)
  const authorization = await Promise.race([closed, server.authorize(listener.redirectUri)])
  if (signal?.aborted) return failed(OVERTAKEN.failure)
  if (!authorization.ok) {
    listener.close()
    return failed(authorization.failure)
  }
  isOurs = authorization.value.isOurs
  const challenge = browserChallenge(listener, authorization.value, ports)
  const opened = await ports.open(authorization.value.address)
  if (opened.ok) return { kind: 'challenge', challenge }
  challenge.cancel()
  return failed(opened.failure)
}

/** The challenge that waits for the callback. */
function browserChallenge(listener: CallbackListener, authorization: Authorization, ports: BrowserPorts): Challenge {
  const { clock, open, onReturn } = ports
  let isCancelled = false
  let expire = (): void => {}
  const expired = new Promise<void>((resolve) => {
    expire = resolve
  })
  const stopWaiting = clock.at(clock.now() + TIMEOUT_MS, () => {
    listener.close()
    expire()
  })
  void listener.received.then((callback) => {
    stopWaiting()
    if (callback !== undefined) onReturn()
  })
  return {
    description: { kind: 'browser' },
    expired,
    async answer() {
      const callback = await listener.received
      if (callback !== undefined) return stepOf(await authorization.redeem(callback))
      return failed(isCancelled ? OVERTAKEN.failure : { code: 'sessionEnded', problem: 'browserTimeout' })
    },
    reopen: () => open(authorization.address),
    cancel() {
      isCancelled = true
      listener.close()
    },
  }
}
