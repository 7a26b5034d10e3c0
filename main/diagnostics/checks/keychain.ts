import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

/** Checks that the session can be stored. */
export async function checkKeychain({ tryKeychain, texts }: Ports<'tryKeychain' | 'texts'>): Promise<Finding> {
  const says = texts.diagnostics.keychain
  const found = await tryKeychain()
  switch (found.kind) {
    case 'works':
      return { state: 'ok', sentence: says.works }
    case 'locked':
      return { state: 'warning', ...says.locked }
    case 'uncreated':
      return { state: 'warning', ...says.uncreated }
    case 'failing':
      return { state: 'failed', ...says.failing(found.cause) }
    case 'absent':
      return { state: 'warning', ...says.absent(found.cause) }
  }
}
