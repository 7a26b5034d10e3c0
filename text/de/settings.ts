/** German: what can be set, and about Latchkey. */
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
    redirectPort: 'Port für den Rückweg',
  },
  flows: { 'password-realm': 'In diesem Fenster', browser: 'Im Browser' },
  hints: {
    providerDomain: 'Falls sie nicht die in der Adresse des Anbieters ist.',
    redirectPort: 'Nur wenn Ihr Anbieter stets dieselbe Adresse verlangt.',
  },
  toCorrect: (count) => `${format.number(count)} Werte müssen korrigiert werden. Es wurde nichts gespeichert.`,
  problem: (field, problem) =>
    ({
      managed: 'Das ist außerhalb von Latchkey gesetzt und kann hier nicht geändert werden.',
      missing:
        field === 'baseAddress'
          ? 'Geben Sie die Adresse Ihres Dienstes ein.'
          : 'Single Sign-on braucht auch diesen Wert.',
      unusable:
        field === 'providerDomain'
          ? 'Geben Sie nur eine Domain ein, etwa login.example.com.'
          : 'Das ist nicht brauchbar. Suchen Sie nach Text, der versehentlich eingefügt wurde.',
      notAnAddress: `Das ist keine Adresse. Geben Sie eine ein wie https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Diese Adresse ist nicht sicher. Verwenden Sie die, die mit https:// beginnt.',
      hasCredentials: 'Lassen Sie Benutzername und Passwort weg: Die geben Sie beim Anmelden ein.',
      hasQuery: 'Lassen Sie alles ab dem ? oder dem # weg.',
      taken: 'Eine andere Ihrer Verbindungen hat das schon.',
      enterAgain: 'Dieses Geheimnis gehört zum früheren Anbieter. Geben Sie das für diese Adresse ein.',
      managedSecret:
        'Das Client-Geheimnis ist außerhalb von Latchkey festgelegt. Es wird nur an eine Adresse gesendet, die ebenfalls dort festgelegt ist.',
    })[problem],
  managed: (source, variable) =>
    ({
      policy: 'Von Ihrer Administration gesetzt.',
      environment: `Durch ${variable} gesetzt.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt in Ihrem Schlüsselbund, bis Sie zurückkommen; Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      memory: `Sie sind bei ${host} angemeldet. Diese Sitzung bleibt, bis Sie Latchkey beenden; Ihre Programme bekommen kein Zugriffstoken, bis Sie sich bei der neuen Adresse anmelden.`,
      unwritten: `Sie sind bei ${host} angemeldet, und Ihr Schlüsselbund nimmt diese Sitzung gerade nicht an: Vielleicht müssen Sie sich dort neu anmelden, wenn Sie zurückkommen.`,
    })[kept],
  saved: 'Die Einstellungen sind gespeichert.',

  sso: {
    heading: 'Single Sign-on',
    setUp: 'Eingerichtet',
    notSetUp: 'Nicht eingerichtet',
    lead: 'Ihre Administration kennt diese Werte.',
    secretHint: 'Wird in Ihrem Schlüsselbund aufbewahrt.',
    secretStored: 'In Ihrem Schlüsselbund liegt eines. Geben Sie ein anderes ein, um es zu ersetzen.',
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
      'Das konnte nicht geändert werden. Versuchen Sie es noch einmal, oder beenden Sie Latchkey und starten Sie es neu.',
  },

  about: {
    open: 'Über Latchkey',
    heading: 'Über Latchkey',
    version: (version) => `Version ${version}`,
    lead: 'Meldet Sie einmal an, und Ihre Programme bleiben es.',
    help: 'Wie Ihre Skripte und Notebooks ein Zugriffstoken bekommen, sagt latchkey --help in einem Terminal.',
    diagnosticsHint:
      'Für Ihre Administration: ein Text über Latchkey auf diesem Computer, ohne Passwort und ohne Token.',
    saved: (file) => `Gespeichert als ${file}.`,
    licences: 'Was darin steckt',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey enthält ein Paket von anderen.',
        other: `Latchkey enthält ${format.number(count)} Pakete von anderen. Danke.`,
      }),
    noLicences: 'Die Liste kann nicht gezeigt werden. Starten Sie Latchkey neu, dann sollte sie da sein.',
  },
})
