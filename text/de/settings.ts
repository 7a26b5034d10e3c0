/** German: the settings, and About Latchkey. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const deSettings = (format: Format): Texts['settings'] => ({
  heading: 'Einstellungen',
  connection: 'Diese Verbindung',
  unsaved: {
    title: 'Änderungen speichern?',
    body: 'Ihre Eingaben sind noch nicht gespeichert.',
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
    clientSecret: 'Client-Geheimnis',
    redirectPort: 'Port der Weiterleitung',
  },
  flows: { 'password-realm': 'In diesem Fenster', browser: 'Im Browser' },
  hints: {
    providerDomain: 'Falls sie von der Adresse des Anbieters abweicht.',
    redirectPort: 'Nur wenn Ihr Anbieter stets dieselbe Adresse verlangt.',
  },
  toCorrect: (count) => `${format.number(count)} Werte müssen korrigiert werden. Es wurde nichts gespeichert.`,
  problem: (field, problem) =>
    ({
      managed: 'Das ist außerhalb von Latchkey festgelegt und kann hier nicht geändert werden.',
      missing:
        field === 'baseAddress'
          ? 'Geben Sie die Adresse Ihres Dienstes ein.'
          : 'Single Sign-on braucht auch diesen Wert.',
      unusable:
        field === 'providerDomain'
          ? 'Geben Sie nur eine Domain ein, etwa login.example.com.'
          : 'Das ist ungültig. Suchen Sie nach Text, der versehentlich eingefügt wurde.',
      notAnAddress: `Das ist keine gültige Adresse. Geben Sie eine ein wie https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Diese Adresse ist nicht sicher. Verwenden Sie die, die mit https:// beginnt.',
      hasCredentials: 'Lassen Sie Benutzername und Passwort weg: Sie geben beides beim Anmelden ein.',
      hasQuery: 'Lassen Sie alles ab dem ? oder dem # weg.',
      taken: 'Eine andere Ihrer Verbindungen verwendet das bereits.',
      enterAgain: 'Dieses Geheimnis gehört zum früheren Anbieter. Geben Sie das für diese Adresse ein.',
      managedSecret:
        'Das Client-Geheimnis ist außerhalb von Latchkey festgelegt. Es wird nur an eine Adresse gesendet, die ebenfalls dort festgelegt ist.',
    })[problem],
  managed: (source, variable) =>
    ({
      policy: 'Von Ihrer IT festgelegt.',
      environment: `Durch ${variable} festgelegt.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt in Ihrem Schlüsselbund, bis Sie zurückkommen; Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      memory: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt, bis Sie Latchkey beenden; Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      unwritten: `Sie sind bei ${host} angemeldet, aber diese Sitzung lässt sich derzeit nicht im Schlüsselbund speichern: Vielleicht müssen Sie sich dort erneut anmelden, wenn Sie zurückkommen.`,
    })[kept],
  saved: 'Die Einstellungen sind gespeichert.',

  sso: {
    heading: 'Single Sign-on',
    setUp: 'Eingerichtet',
    notSetUp: 'Nicht eingerichtet',
    lead: 'Diese Werte erhalten Sie von Ihrer IT.',
    secretHint: 'Wird in Ihrem Schlüsselbund aufbewahrt.',
    secretStored: 'In Ihrem Schlüsselbund liegt ein Geheimnis. Geben Sie ein anderes ein, um es zu ersetzen.',
    secretRemoved: 'Beim Speichern wird es entfernt.',
    removeSecret: 'Entfernen',
    keepSecret: 'Behalten',
  },

  desktop: {
    heading: 'Auf diesem Computer',
    hint: 'Änderungen gelten hier sofort.',
    switches: {
      agent: 'Programme dürfen Zugriffstoken anfordern',
      startAtLogin: 'Latchkey beim Anmelden am Computer starten',
    },
    notSet:
      'Das konnte nicht geändert werden. Versuchen Sie es erneut, oder beenden Sie Latchkey und starten Sie es neu.',
  },

  about: {
    open: 'Über Latchkey',
    heading: 'Über Latchkey',
    version: (version) => `Version ${version}`,
    lead: 'Einmal anmelden – Ihre Programme bleiben angemeldet.',
    help: 'Wie Skripte und Notebooks ein Zugriffstoken bekommen, zeigt latchkey --help im Terminal.',
    diagnosticsHint: 'Für Ihre IT: eine Diagnosedatei, ohne Passwörter und Token.',
    saved: (file) => `Gespeichert als ${file}.`,
    licences: 'Enthaltene Software',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey enthält ein Paket von Dritten.',
        other: `Latchkey enthält ${format.number(count)} Pakete von Dritten. Danke.`,
      }),
    noLicences: 'Die Liste kann nicht angezeigt werden. Starten Sie Latchkey neu, um sie zu sehen.',
  },
})
