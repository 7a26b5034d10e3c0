/** Real identity providers, as they are shipped. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

export const PERSON = { username: 'ana', password: 'quiet harbour lamp' }

export interface RealProviderOptions {
  /** The address to register, with the port, for providers that compare the whole address. */
  readonly redirectUriOf: (issuer: string) => string
  /** The plug-in's settings that differ from the provider's defaults. */
  readonly plugin?: Readonly<Record<string, unknown>>
}

export interface RealProvider {
  readonly issuer: string
  readonly redirectUri: string
  readonly publicClient: string
  readonly confidential: { readonly clientId: string; readonly secret: string }
  /** Signs in on the provider's own page, and consents if the page asks. */
  readonly signIn: (page: Page) => Promise<void>
  /** Consents on the provider's own page, if the page asks again. */
  readonly consent?: (page: Page) => Promise<void>
  /** Ends the signed-in person's sessions, as the provider's own pages do. */
  readonly endSessions: (page: Page) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Another program could take the port before it is used, but that is unlikely enough for tests. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const START_ATTEMPTS = 200

/** Waits for a server that has just been started. */
export async function untilAnswered(address: string): Promise<void> {
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt += 1) {
    try {
      await fetch(address)
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`${address} doesn't answer`)
}
