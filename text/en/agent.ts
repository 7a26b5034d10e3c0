import type { AgentError } from '../agent-error.ts'
import type { Format } from '../format.ts'

/** Times are milliseconds since the epoch. */
export const enAgent = (format: Format) => ({
  used: (count: number, lastAt: number, now: number): string =>
    format.plural(count, {
      one: format.ago(lastAt, now),
      other: `${format.ago(lastAt, now)} · ${format.number(count)} times`,
    }),
  more: (count: number): string => `and ${format.number(count)} more`,
  fewer: 'Show fewer',
  unused: 'No tool has asked for an access token yet.',
  off: 'You’ve turned that off in Settings.',
  offByAdministrator: 'Your administrator has turned off tokens for tools.',
  turnOn: 'Turn on',
  errorTitle: 'Tools can’t get tokens',
  error: (error: AgentError): string => {
    const { path } = error
    switch (error.kind) {
      case 'pathTooLong':
        return `${path} is too long for a socket (${format.number(error.bytes)} bytes). Set LATCHKEY_SOCKET to a path of at most ${format.number(error.most)} bytes.`
      case 'pathNotAbsolute':
        return 'LATCHKEY_SOCKET isn’t an absolute path. Set it to an absolute path, or remove it.'
      case 'inUse':
        return `Another Latchkey is already using ${path}. Quit it, or set LATCHKEY_SOCKET to another path.`
      case 'notASocket':
        return `${path} exists but isn’t a socket. Move it elsewhere, or set LATCHKEY_SOCKET to another path.`
      case 'folderMissing':
        return `The folder ${path} doesn’t exist. Create it, or set LATCHKEY_SOCKET to another path.`
      case 'folderUnsafe':
        return `${path} isn’t private: the folder belongs to another user, or others can write to it. Ask your administrator.`
      case 'refused':
        return `Latchkey can’t use ${path} (${error.cause}). Ask your administrator.`
    }
  },
})
