import type { Texts } from '../en/index.ts'

export const deTools: Texts['tools'] = {
  heading: 'In Ihren Programmen verwenden',
  yours: 'Ihre Programme',
  another: 'In einem anderen Programm verwenden',
  tiles: {
    python: 'Notebook oder Skript',
    r: 'mit httr2',
    shell: 'curl und Ähnliches',
    gateway: 'Adresse und Passwort',
  },
  choice: 'Programm',
  other: 'Andere',
  install: 'Einmal installieren, im Terminal',
  installInNotebook: 'Oder in einem Notebook installieren',
  inVenv: (python) => `Führen Sie Ihre Skripte dann mit ${python} aus.`,
  use: 'Im Code verwenden',
  replace: 'Ersetzen Sie den Pfad durch den Ihrer Daten',
  inTerminal: 'Im Terminal ausführen',
  inTerminalWithPath: 'Im Terminal ausführen, mit dem Pfad Ihrer Daten',
  start: 'Ein Programm mit einem Token starten',
  startHint:
    'Ihr Programm findet das Zugriffstoken in der Umgebungsvariablen ACCESS_TOKEN. Es wird nicht erneuert, während das Programm läuft.',
  ai: 'KI-Programme',
  aiHint:
    'Gibt aus, was für Claude Code in .mcp.json gehört; mit cursor in ~/.cursor/mcp.json, mit vscode in .vscode/mcp.json. Das KI-Programm erreicht damit den MCP-Server Ihrer Datenplattform; Ihr Token sieht es nie.',
  gateway: {
    name: 'Excel und BI',
    label: 'Gateway für Excel und BI',
    lead: 'Excel, Power BI, Tableau und andere nehmen eine Adresse, einen Benutzernamen und ein Passwort. Das Gateway gibt ihnen, nur auf diesem Computer, Ihre Daten; Ihr Token sehen sie nie.',
    signedOut: 'Diese Programme bekommen wieder Daten, sobald Sie sich anmelden.',
    address: 'Adresse',
    copyPassword: 'Passwort kopieren',
    newPassword: 'Neues Passwort',
    passwordCopied: 'Kopiert. Fügen Sie es innerhalb von fünf Minuten ein.',
    passwordHint: 'Latchkey bewahrt das Passwort nicht auf. Wenn es verloren geht, erstellen Sie ein neues.',
    replace: {
      title: 'Neues Passwort erstellen?',
      body: 'Programme mit dem bisherigen bekommen keine Daten, bis Sie dort das neue eingeben.',
      keep: 'Bisheriges behalten',
      confirm: 'Erstellen und kopieren',
    },
    steps: [
      'Rufen Sie in Ihrem Programm Daten aus dem Web oder über OData ab: Geben Sie die Adresse und dahinter den Pfad Ihrer Daten ein.',
      'Wenn es nach der Anmeldung fragt, wählen Sie „Standard“ oder „Basic“ und geben Sie Benutzername und Passwort ein.',
      'Aktualisieren Sie wie gewohnt: Das geht immer, wenn Sie bei Latchkey angemeldet sind.',
    ],
    portTaken: (port, by) => ({
      title: `Port ${port} ist belegt`,
      body:
        by === undefined
          ? 'Ein anderes Programm verwendet ihn. Schließen Sie es, oder wählen Sie einen anderen Port.'
          : `${by} verwendet ihn. Schließen Sie das Programm, oder wählen Sie einen anderen Port.`,
    }),
    failed: (port, cause) => ({
      title: 'Das Gateway kann nicht starten',
      body: `Port ${port} kann nicht verwendet werden (${cause}). Wählen Sie einen anderen Port.`,
    }),
    otherPort: 'Anderen Port wählen',
  },
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Kopieren nicht möglich. Markieren Sie den Text und kopieren Sie ihn.',
}
