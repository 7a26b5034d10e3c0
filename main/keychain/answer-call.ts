import type { Answer, Call } from './child-messages.ts'
import type { Keytar } from './keytar-store.ts'
import { messageOf } from './storable.ts'

/** Makes a call, wherever keytar runs, and says what came of it. Never rejects. */
export async function answerCall(keytar: Keytar, call: Call): Promise<Answer> {
  const { id } = call
  try {
    return { kind: 'done', id, value: await make(keytar, call) }
  } catch (error) {
    return { kind: 'failed', id, cause: messageOf(error) }
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
  }
}
