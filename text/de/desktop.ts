import type { Texts } from '../en/index.ts'
import type { System } from '../system.ts'
import type { DeKeychain } from './keychain.ts'
import { deStartProblem } from './start-problem.ts'

export const deDesktop = (keychain: DeKeychain, system: System): Texts['desktop'] => ({
  account: (name, host) => (host === undefined ? name : name === '' ? host : `${name} · ${host}`),
  copyToken: 'Zugriffstoken kopieren',
  startAtLogin: 'Beim Anmelden am Computer starten',
  settings: 'Einstellungen…',
  menu: {
    about: 'Über Latchkey',
    services: 'Dienste',
    hide: 'Latchkey ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
    edit: 'Bearbeiten',
    undo: system === 'macos' ? 'Widerrufen' : 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: system === 'macos' ? 'Einsetzen' : 'Einfügen',
    selectAll: 'Alles auswählen',
    view: 'Darstellung',
    actualSize: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    window: 'Fenster',
    close: 'Fenster schließen',
    minimize: 'Im Dock ablegen',
    zoom: 'Zoomen',
    front: 'Alle nach vorne bringen',
  },
  folderInUse: (host, folder) => ({
    title: `Latchkey läuft bereits auf ${host}.`,
    body: `Es verwendet denselben Datenordner, ${folder}. Beenden Sie Latchkey zuerst dort. Läuft es dort nicht mehr, wählen Sie „Hier starten“.`,
    startAnyway: 'Hier starten',
    quit: 'Beenden',
  }),
  runsOnDisplay: (display) => ({
    title: 'Latchkey läuft bereits auf einer anderen Anzeige.',
    body: `Es läuft auf ${display}. Verwenden Sie es dort, oder beenden Sie es dort und starten Sie es hier neu.`,
  }),
  notStarted: 'Latchkey kann nicht starten',
  startProblem: deStartProblem,
  diagnostics: {
    title: 'Diagnose speichern',
    fileName: 'Latchkey-Diagnose.txt',
    notSaved: (file, cause) => ({
      title: 'Die Datei konnte nicht gespeichert werden.',
      body: `Latchkey konnte ${file} nicht schreiben (${cause}). Versuchen Sie es mit einem anderen Ordner.`,
    }),
  },
  destination: {
    change: {
      message: 'Ändern, wohin Latchkey Ihr Passwort sendet?',
      from: (address) => `Bisher: ${address}`,
      to: (address) => `Neu: ${address}`,
      confirm: 'Ändern',
    },
    add: {
      message: 'Eine Verbindung hinzufügen?',
      existing: (address) => `Vorhandene Verbindung: ${address}`,
      added: (address) => `Neue Verbindung: ${address}`,
      confirm: 'Hinzufügen',
    },
    data: {
      message: 'Ändern, wohin Latchkey Ihr Zugriffstoken sendet?',
      confirm: 'Ändern',
      advice:
        'Ihre Programme senden Ihr Zugriffstoken an diese Adresse. Fahren Sie nur fort, wenn Sie diese Adresse von Ihrer IT haben.',
    },
    fields: { baseAddress: 'Adresse des Dienstes', authUrl: 'Identitätsanbieter', dataAddress: 'Datenadresse' },
    none: 'keine',
    advice:
      'Wenn Sie sich anmelden, gehen Benutzername und Passwort an die neue Adresse. Fahren Sie nur fort, wenn Sie diese Adresse von Ihrer IT haben.',
    cancel: 'Abbrechen',
  },
  location: (file, { key, line, column }) => {
    if (line === undefined) return key === undefined ? file : `${key} (${file})`
    return key === undefined ? `${file} (Zeile ${line}, Spalte ${column})` : `${key} (${file}, Zeile ${line})`
  },
  unknownSetting: (where) => `${where} ist keine Einstellung von Latchkey und wurde ignoriert.`,
  losesClientSecret: `${keychain.none}: Das Client-Secret bleibt im Arbeitsspeicher und geht verloren, wenn Sie Latchkey beenden.`,
  noSandbox:
    'Latchkey läuft ohne die Sandbox von Chromium, die diesen Computer vor bösartigen Seiten schützt. Starten Sie es unter Ihrem Konto, nicht als root, und ohne --no-sandbox.',
  update: {
    ready: (version) => `Latchkey ${version} ist bereit. Ein Neustart dauert nur einen Moment; Sie bleiben angemeldet.`,
    restart: 'Latchkey neu starten',
    restarting: 'Wird neu gestartet …',
  },
})
