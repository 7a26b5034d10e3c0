/** The keychain's child process, which contains only keytar and a message loop. */
import { type Answer, type Call, parseCall } from './child-messages.ts'
import type { Keytar } from './keytar-store.ts'
import { loadKeytar } from './load-keytar.ts'
import { messageOf } from './storable.ts'

/** Electron's channel to the app (Electron: process.parentPort). */
interface ParentPort {
  postMessage(message: unknown): void
  on(event: 'message', listen: (event: { readonly data: unknown }) => void): void
}

const { parentPort } = process as unknown as { readonly parentPort?: ParentPort }

const answer = (message: Answer): void => {
  if (parentPort === undefined) process.send?.(message)
  else parentPort.postMessage(message)
}

function listen(hear: (message: unknown) => void): void {
  if (parentPort !== undefined) parentPort.on('message', ({ data }) => hear(data))
  else process.on('message', hear).once('disconnect', () => process.exit())
}

async function serve(keytar: Keytar, message: unknown): Promise<void> {
  const call = parseCall(message)
  // SECURITY: the process ends if it receives a message that the app would never send.
  if (call === undefined) process.exit(1)
  const { id } = call
  try {
    answer(call.method === 'ping' ? { kind: 'alive' } : { kind: 'done', id, value: await make(keytar, call) })
  } catch (error) {
    answer({ kind: 'failed', id, cause: messageOf(error) })
  }
}

async function make(keytar: Keytar, { method, args }: Call): Promise<string | boolean | null> {
  const [service = '', account = '', password = ''] = args
  switch (method) {
    case 'getPassword':
      return keytar.getPassword(service, account)
    case 'setPassword':
      await keytar.setPassword(service, account, password)
      return null
    case 'deletePassword':
      return keytar.deletePassword(service, account)
    case 'ping':
      return null
  }
}

// Ctrl+C, a closed terminal and systemd signal this process together with the app. The app still needs it, to store a
// token that is on its way. The app ends it with SIGKILL.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const) {
  process.on(signal, () => {})
}

loadKeytar().then(
  (keytar) => {
    listen((message) => void serve(keytar, message))
    answer({ kind: 'ready' })
  },
  (error: unknown) => answer({ kind: 'unloadable', cause: messageOf(error) }),
)
