/** Asks the agent for a token, as a tool does. */
import { get } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestDesktop } from './test-desktop.ts'

/** Matches the answer of an agent that is on: a token or `signed_out`. */
export const SERVES = /^(200|401) /
export const OFF_BY_USER = /^503 Turned off in Settings > This computer/
export const OFF_BY_ADMINISTRATOR = /^503 Turned off by your administrator/

/** Resolves to the status and text of the answer, or to the error's code if there is no answer. */
export function askAgent({ dataFolder }: Pick<TestDesktop, 'dataFolder'>): Promise<string> {
  const socketPath = path.join(dataFolder, 'agent.sock')
  return new Promise((resolve) => {
    get({ socketPath, path: '/v1/token', headers: { Accept: 'text/plain' } }, async (response) =>
      resolve(`${response.statusCode} ${await text(response)}`),
    ).on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'))
  })
}
