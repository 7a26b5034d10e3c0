import type { DiagnosticsTexts } from '../../../text/en/diagnostics.ts'
import type { KeychainProbe } from '../../keychain/open.ts'
import type { Finding } from '../line.ts'
import type { Ports } from '../ports.ts'

export async function checkKeychain({
  tryKeychain,
  otherEntries,
  texts,
}: Ports<'tryKeychain' | 'otherEntries' | 'texts'>): Promise<Finding> {
  const says = texts.diagnostics.keychain
  return {
    ...findingOf(await tryKeychain(), says),
    details: otherEntries.map((name) => says.otherEntry(shortened(name))),
  }
}

/** The first digits of the id are enough to find the entry. The whole id looks like a secret and would be hidden. */
const shortened = (name: string): string => name.replace(/(?<=\b[\da-f]{8})[\da-f]{24}$/, '…')

function findingOf(found: KeychainProbe, says: DiagnosticsTexts['keychain']): Finding {
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
