/** German: how the user's own tools get access tokens. */

import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const deTools = (format: Format): Texts['tools'] => ({
  heading: 'In Ihren Programmen verwenden',
  yours: 'Ihre Programme',
  another: 'In einem anderen Programm verwenden',
  begin: 'Mit einer Zeile beginnen',
  tiles: { python: 'Notebook oder Skript', r: 'mit httr2', shell: 'curl und Ähnliches', file: 'über eine Datei' },
  choice: 'Programm',
  other: 'Andere',
  file: 'Excel und BI',
  install: 'Einmal installieren, im Terminal',
  installInNotebook: 'Oder in einem Notebook installieren',
  use: 'Im Code verwenden',
  replace: 'Ersetzen Sie den Pfad durch den Ihrer Daten',
  fileHint:
    'Excel, Power BI und Tableau können Latchkey nicht nach einem Token fragen. Lassen Sie dieses Skript eine Datei schreiben, und laden Sie die Datei dort.',
  inTerminal: 'Im Terminal ausführen',
  start: 'Ein Programm mit einem Token starten',
  startHint:
    'Ihr Programm findet das Zugriffstoken in der Umgebungsvariablen ACCESS_TOKEN. Es wird nicht erneuert, während das Programm läuft.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Kopieren nicht möglich. Markieren Sie den Text und kopieren Sie ihn.',
  asked: (lastAt, now) => `hat ${format.since(lastAt, now)} ein Token angefordert`,
})
