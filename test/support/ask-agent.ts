import path from 'node:path'
import { ask } from '../agent/client.ts'
import type { TestDesktop } from './test-desktop.ts'

/** Matches the answer of an agent that is on: a token or `signed_out`. */
export const SERVES = /^(200|401) /
export const OFF_BY_USER = /^503 Turned off in Settings > This computer/
export const OFF_BY_ADMINISTRATOR = /^503 Turned off by your administrator/

/** Resolves to the status and text of the answer, or to the error's code if there is no answer. */
export const askAgent = ({ dataFolder }: Pick<TestDesktop, 'dataFolder'>): Promise<string> =>
  ask(path.join(dataFolder, 'agent.sock'), '/v1/token', { headers: { Accept: 'text/plain' } }).then(
    ({ status, body }) => `${status} ${body}`,
    ({ code }: NodeJS.ErrnoException) => code ?? 'error',
  )
