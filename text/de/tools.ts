/** German: how the user's own tools get access tokens. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const deTools = (format: Format): Texts['tools'] => ({
  heading: 'In Ihren Programmen verwenden',
  choice: 'Programm',
  other: 'Andere',
  install: 'Einmal installieren, im Terminal',
  use: 'Im Code verwenden',
  inTerminal: 'Im Terminal ausführen',
  start: 'Ein Programm mit einem Token starten',
  startHint:
    'Ihr Programm findet das Zugriffstoken in der Umgebungsvariablen ACCESS_TOKEN. Es wird nicht erneuert, während das Programm läuft.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Kopieren nicht möglich. Markieren Sie den Text und kopieren Sie ihn.',
  asked: (lastAt, now) => `hat ${format.since(lastAt, now)} gefragt`,
})
