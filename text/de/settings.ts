import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { DeKeychain } from './keychain.ts'

export const deSettings = (format: Format, keychain: DeKeychain): Texts['settings'] => ({
  heading: 'Einstellungen',
  unsaved: {
    title: 'Änderungen speichern?',
    body: 'Ihre Änderungen sind noch nicht gespeichert.',
    save: 'Änderungen speichern',
    discard: 'Verwerfen',
    keep: 'Weiter bearbeiten',
  },
  labels: {
    baseAddress: 'Adresse des Dienstes',
    displayName: 'Name in diesem Fenster',
    authUrl: 'Adresse des Anbieters',
    flow: 'Art der Anmeldung',
    providerDomain: 'Domain des Anbieters',
    realm: 'Realm',
    scope: 'Scope',
    audience: 'Audience',
    clientId: 'Client-ID',
    clientSecret: 'Client-Secret',
    redirectPort: 'Weiterleitungsport',
    resource: 'Ressource (resource)',
    prompt: 'Rückfrage (prompt)',
    dataAddress: 'Datenadresse',
    gateway: 'Gateway',
    gatewayPort: 'Gateway-Port',
    gatewayMethods: 'Gateway-Anfragen',
  },
  data: 'Daten und Gateway',
  gatewayMethods: { read: 'Nur lesende', all: 'Alle' },
  flows: { 'password-realm': 'In diesem Fenster', browser: 'Im Browser' },
  hints: {
    providerDomain: 'Nur wenn sie von der Adresse des Anbieters abweicht.',
    redirectPort: 'Nur wenn Ihr Anbieter eine feste Weiterleitungsadresse verlangt.',
    resource: 'Nur wenn Ihr Anbieter den Parameter resource verlangt.',
    prompt: 'Nur wenn Ihr Anbieter eine bestimmte Rückfrage verlangt, etwa consent.',
    dataAddress: 'Nur wenn Ihre Daten nicht unter der Adresse des Dienstes liegen.',
    gatewayPort: 'Nur wenn Ihre IT Ihnen einen festen Port genannt hat.',
  },
  toCorrect: (count) => `Korrigieren Sie die ${format.number(count)} markierten Werte, und speichern Sie dann erneut.`,
  problem: (field, problem) =>
    ({
      managed: 'Ihre IT oder die Umgebung dieses Computers legt das fest.',
      missing:
        field === 'baseAddress'
          ? 'Geben Sie die Adresse Ihres Dienstes ein.'
          : 'Single Sign-on braucht auch diesen Wert.',
      unusable:
        field === 'providerDomain'
          ? 'Geben Sie nur eine Domain ein, etwa login.example.com.'
          : 'Dieser Wert kann nicht verwendet werden. Prüfen Sie, ob Sie den richtigen Text eingefügt haben.',
      notAnAddress: `Diese Adresse ist ungültig. Geben Sie eine Adresse wie https://${field === 'authUrl' ? 'login' : 'data'}.example.com ein.`,
      notHttps: 'Diese Adresse ist nicht sicher. Verwenden Sie die, die mit https:// beginnt.',
      hasCredentials: 'Entfernen Sie Benutzername und Passwort: Sie geben beides beim Anmelden ein.',
      hasQuery: 'Entfernen Sie alles ab dem ? oder #.',
      taken: 'Eine andere Verbindung verwendet das bereits.',
      enterAgain: 'Das gespeicherte Secret gehört zum früheren Anbieter. Geben Sie das für diese Adresse ein.',
      managedSecret:
        'Das Client-Secret ist außerhalb von Latchkey festgelegt. Es wird nur an eine Adresse gesendet, die ebenfalls dort festgelegt ist.',
    })[problem],
  managed: (source, variable, place) =>
    ({
      policy:
        place === undefined
          ? 'Von Ihrer IT festgelegt.'
          : `Von Ihrer IT festgelegt (${{ registry: 'Registrierung', preferences: 'Konfigurationsprofil', file: 'Richtliniendatei' }[place]}).`,
      environment: `Durch ${variable} festgelegt.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt ${keychain.inIhrem}, bis Sie zurückkommen. Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      memory: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt erhalten, bis Sie Latchkey beenden. Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      unsaved: `Sie sind bei ${host} angemeldet, aber diese Sitzung lässt sich derzeit nicht ${keychain.inIhrem} speichern. Wenn Sie zu dieser Adresse zurückkehren, müssen Sie sich vielleicht erneut anmelden.`,
    })[kept],
  saved: 'Einstellungen gespeichert.',

  sso: {
    heading: 'Single Sign-on',
    setUp: 'Eingerichtet',
    notSetUp: 'Nicht eingerichtet',
    lead: 'Diese Werte erhalten Sie von Ihrer IT.',
    secretHint: `Wird ${keychain.inIhrem} gespeichert.`,
    secretStored: `Ein Secret ist ${keychain.inIhrem} gespeichert. Geben Sie ein anderes ein, um es zu ersetzen.`,
    secretRemoved: 'Das Secret wird beim Speichern entfernt.',
    removeSecret: 'Secret entfernen',
    keepSecret: 'Secret behalten',
  },

  desktop: {
    heading: 'Dieser Computer',
    hint: 'Änderungen gelten hier sofort.',
    switches: {
      agent: 'Programme dürfen Zugriffstoken anfordern',
      startAtLogin: 'Latchkey beim Anmelden am Computer starten',
    },
    notSet:
      'Das konnte nicht geändert werden. Versuchen Sie es erneut, oder beenden Sie Latchkey und starten Sie es neu.',
  },

  about: {
    heading: 'Hilfe und Info',
    version: (version) => `Latchkey ${version}`,
    help: 'Code für Skripte und Notebooks zeigt die Startseite, sobald Sie angemeldet sind. Im Terminal zeigt latchkey --help, was der Befehl kann.',
    diagnosticsHint: 'Für Ihre IT: eine Diagnosedatei, ohne Passwörter und Token.',
    saved: (folder) => `Gespeichert in ${folder}.`,
    licences: 'Enthaltene Software',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey enthält ein Paket eines Drittanbieters.',
        other: `Latchkey enthält ${format.number(count)} Pakete von Drittanbietern.`,
      }),
    noLicences: 'Die Liste kann nicht angezeigt werden. Starten Sie Latchkey neu, um sie zu sehen.',
  },
})
