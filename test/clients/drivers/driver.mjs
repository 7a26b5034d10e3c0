/** Reads one command per line, as a JSON object. Executes it with the library and answers with one JSON object. */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

// The test puts the built package into this folder.
const built = (name) => import(`${process.env['LATCHKEY_PACKAGE']}/${name}.js`)
const { LatchkeyError, latchkeyFetch, rejected, token } = await built('index')
const { locate } = await built('location')
const { originOf } = await built('origins')

async function* chunks() {
  yield new TextEncoder().encode('a')
  yield new TextEncoder().encode('b')
}

async function loop({ seconds }) {
  const end = performance.now() + seconds * 1_000
  let done = 0
  const failed = []
  while (performance.now() < end) {
    await token().then(
      () => done++,
      (error) => failed.push(error.message),
    )
    await sleep(20)
  }
  return { done, failed }
}

const COMMANDS = {
  locate: async ({ there, ...computer }) => {
    const isThere = (path) => there.includes(path)
    const { path, dataFolder } = locate({ ...computer, home: '/home/ana', uid: 1000, isThere })
    return { path, data_folder: dataFolder }
  },
  origin: async ({ url }) => {
    try {
      return originOf(url)
    } catch {
      return null
    }
  },
  token: ({ min_validity: minValidity, ...options }) => token({ ...options, ...(minValidity ? { minValidity } : {}) }),
  rejected: ({ token: refused, ...options }) => rejected(refused, options),
  fetch: async ({ url, via: _, ...init }) => {
    const stream = init.body === 'stream' ? { body: chunks(), duplex: 'half' } : {}
    const response = await latchkeyFetch(url, { ...init, ...stream })
    return response.status
  },
  in_threads: ({ count }) => Promise.all(Array.from({ length: count }, () => token())),
  loop,
}

for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, socket, ...order } = JSON.parse(line)
  process.env['LATCHKEY_SOCKET'] = socket
  const answer = await COMMANDS[name](order).then(
    (value) => ({ value }),
    (error) => ({
      code: error.code ?? error.name,
      // An error that isn't a LatchkeyError is reported as Node prints it, without its stack.
      message: error instanceof LatchkeyError ? error.message : inspect({ ...error, message: error.message }),
    }),
  )
  console.log(JSON.stringify(answer))
}
