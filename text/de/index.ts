import type { Texts } from '../en/index.ts'
import { createFailureSentences } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { System } from '../system.ts'
import { deAgent } from './agent.ts'
import { deChallenge } from './challenge.ts'
import { deCheckComputer } from './check-computer.ts'
import { deConnections } from './connections.ts'
import { deDefect } from './defects.ts'
import { deDesktop } from './desktop.ts'
import { deDetails } from './details.ts'
import { deFailures } from './failures.ts'
import { deKeychain } from './keychain.ts'
import { deProxy } from './proxy.ts'
import { deSessionEnd } from './session-end.ts'
import { deSettings } from './settings.ts'
import { deTools } from './tools.ts'

export const de = (format: Format, system: System): Texts => {
  const keychain = deKeychain(system)
  const until = (at: number, now: number): string => `bis ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'noch unter einer Minute' : `noch ${format.left(ms)}`)
  /** What the service is called after the prepositions “bei” and “von”. */
  const service = (host: string | undefined): string => host ?? 'Ihrem Dienst'
  const who = ({ issuer, host }: ServerRole): string =>
    host ?? (issuer === 'identityProvider' ? 'Ihr Identitätsanbieter' : 'Ihr Dienst')

  const silent = {
    heading: `${keychain.Ihr} antwortet nicht`,
    lead: `Latchkey braucht ${keychain.ihn}, um Ihre Sitzung wiederherzustellen.`,
    body: 'Latchkey versucht es weiter und fährt dann automatisch fort. Oder melden Sie sich erneut an.',
  }

  return {
    language: 'de',
    format,
    system,
    app: 'Latchkey',

    fields: {
      serviceAddress: 'Adresse des Dienstes',
      username: 'Benutzername',
      password: 'Passwort',
      code: 'Code',
      recoveryCode: 'Wiederherstellungscode',
      currentPassword: 'Aktuelles Passwort',
      newPassword: 'Neues Passwort',
      repeatNewPassword: 'Neues Passwort wiederholen',
    },
    fieldErrors: {
      usernameMissing: 'Geben Sie Ihren Benutzernamen ein.',
      usernameColon: 'Ein Benutzername kann keinen Doppelpunkt enthalten.',
      passwordMissing: 'Geben Sie Ihr Passwort ein.',
      codeMissing: 'Geben Sie den Code ein.',
      recoveryCodeMissing: 'Geben Sie einen Wiederherstellungscode ein.',
      currentPasswordMissing: 'Geben Sie Ihr aktuelles Passwort ein.',
      currentPasswordWrong: 'Das aktuelle Passwort ist falsch.',
      newPasswordMissing: 'Geben Sie ein neues Passwort ein.',
      repetitionMissing: 'Geben Sie das neue Passwort noch einmal ein.',
      repetitionDiffers: 'Die Passwörter stimmen nicht überein.',
    },
    browserPage: {
      signedIn: {
        title: 'Sie sind angemeldet.',
        body: 'Sie können diese Seite schließen. In Latchkey geht es automatisch weiter.',
      },
      declined: {
        title: 'Sie wurden nicht angemeldet.',
        body: 'Die Anmeldung wurde abgelehnt. Was Sie tun können, steht in Latchkey.',
      },
      failed: {
        title: 'Die Anmeldung ist fehlgeschlagen.',
        body: 'Kehren Sie zu Latchkey zurück: Dort steht, warum, und was Sie tun können.',
      },
    },
    buttons: {
      connect: 'Verbinden',
      connecting: 'Wird verbunden …',
      continueInBrowser: 'Im Browser fortfahren',
      continueAnyway: 'Trotzdem fortfahren',
      signIn: 'Anmelden',
      signingIn: 'Anmeldung läuft …',
      continue: 'Weiter',
      continuing: 'Wird geprüft …',
      cancel: 'Abbrechen',
      lookAgain: 'Erneut prüfen',
      lookingAgain: 'Wird geprüft …',
      signOut: 'Abmelden',
      refreshNow: 'Jetzt erneuern',
      refreshing: 'Wird erneuert …',
      changePassword: 'Passwort ändern',
      changingPassword: 'Wird geändert …',
      copyToken: 'Zugriffstoken kopieren',
      save: 'Speichern',
      saving: 'Wird gespeichert …',
      saveDiagnostics: 'Diagnose speichern',
      showInFolder: 'Im Ordner anzeigen',
      settings: 'Einstellungen',
      showPassword: 'Passwort anzeigen',
      hidePassword: 'Passwort ausblenden',
      showPasswords: 'Passwörter anzeigen',
      hidePasswords: 'Passwörter ausblenden',
      back: 'Zurück',
    },

    connection: {
      heading: 'Mit Ihrer Datenplattform verbinden',
      lead: 'Die Adresse erhalten Sie von Ihrer IT.',
    },

    signIn: {
      heading: 'Anmelden',
      leadAgain: 'Melden Sie sich an, damit Ihre Programme weiterarbeiten.',
      choice: 'Art der Anmeldung',
      methods: { password: 'Passwort', passwordRealm: 'Single Sign-on', browser: 'Im Browser' },
      providerHint: 'Verwenden Sie Benutzername und Passwort Ihres Firmenkontos.',
      capsLock: 'Die Feststelltaste ist aktiv.',
      cancelled: 'Anmeldung abgebrochen.',
      incomplete: (names) => ({
        title: 'Single Sign-on ist nicht vollständig eingerichtet',
        body: `Es ${names.length === 1 ? 'fehlt' : 'fehlen'}: ${names.join(', ')}. Zeigen Sie das Ihrer IT.`,
      }),
      withPassword: 'Mit einem Passwort anmelden',
      startAtLogin: 'Latchkey beim Anmelden am Computer starten',
      revocation: (revocation, host) =>
        ({
          none: undefined,
          done: `Sie sind abgemeldet, hier und bei ${service(host)}.`,
          refused: `Sie sind hier abgemeldet, aber ${host ?? 'Ihr Dienst'} hat das Beenden der Sitzung abgelehnt. Informieren Sie Ihre IT.`,
          pending: `Sie sind hier abgemeldet. Latchkey versucht weiter, die Sitzung bei ${service(host)} zu beenden.`,
          notPossible:
            'Sie sind abgemeldet. Ihr Identitätsanbieter kann sein Token nicht widerrufen. Latchkey hat es deshalb hier gelöscht; es läuft von selbst ab.',
        })[revocation],
      handedOutUntil: (at, now) =>
        `Programme, die schon ein Zugriffstoken haben, können es ${until(at, now)} verwenden.`,
    },

    challenge: deChallenge,

    stillWaiting: ({ issuer, host }) =>
      `Warten auf ${host ?? (issuer === 'identityProvider' ? 'Ihren Identitätsanbieter' : 'Ihren Dienst')} …`,
    tryAgainNow: 'Sie können es jetzt erneut versuchen.',
    restoring: {
      heading: 'Einen Moment',
      lead: 'Ihre Sitzung wird wiederhergestellt …',
      slow: 'Das dauert länger als üblich.',
      network: 'Prüfen Sie Ihr Netzwerk oder VPN.',
    },
    sessionUnread: {
      // Nobody can unlock Credential Manager, so no text on Windows says to unlock it.
      locked:
        system === 'windows'
          ? silent
          : {
              heading: `${keychain.Ihr} ist gesperrt`,
              lead: `Latchkey braucht ${keychain.ihn}, um Ihre Sitzung wiederherzustellen.`,
              body: `Entsperren Sie ${keychain.ihn}, dann geht es automatisch weiter. Oder melden Sie sich erneut an.`,
            },
      unavailable: silent,
      missing: {
        heading: `Ihre Sitzung ist nicht ${keychain.inIhrem}`,
        lead: keychain.explanation,
        body: keychain.recovery,
      },
    },
    lookedAgain: `Ihre Sitzung ist immer noch nicht ${keychain.inIhrem}.`,

    unknownVersion: {
      heading: 'Von einer anderen Latchkey-Version gespeichert',
      lead: 'Diese Version kann Ihre Sitzung nicht lesen.',
      body: 'Aktualisieren Sie Latchkey, um sie wieder zu nutzen. Oder melden Sie sich vorläufig an: Diese Sitzung endet, wenn Sie Latchkey beenden, und die gespeicherte bleibt, wie sie ist.',
    },

    session: {
      menu: (name) => (name === '' ? 'Ihr Konto: Menü' : `${name}: Menü`),
      connected: 'Ihre Programme sind angemeldet',
      ready: 'Bereit für Ihre Programme',
      access: (at, now) => `Ihre Programme haben bis ${format.moment(at, now)} Zugriff`,
      endsIn: (ms) =>
        `${ms < 60_000 ? 'Noch weniger als eine Minute' : `Noch ${format.left(ms).replace(/\.$/, '')}`}. Melden Sie sich danach erneut an: Ihr Identitätsanbieter lässt Latchkey die Sitzung nicht erneuern.`,
      tokenUntil: (at, now) => `Ihre Programme haben bis ${format.moment(at, now)} ein Token`,
      noToken: 'Ihre Programme bekommen gerade kein Token',
      retryIn: (ms) => `nächster Versuch in ${format.wait(ms)}`,
      retrying: 'neuer Versuch läuft',
      outage: (tools, retry) => `${tools}; ${retry}.`,
      retryNow: 'Jetzt erneut versuchen',
      endingTitle: 'Ihre Sitzung kann nicht erneuert werden',
      endingBody: 'Melden Sie sich rechtzeitig erneut an.',
      shortLived:
        'Die Token Ihres Dienstes laufen nach wenigen Sekunden ab. Deshalb müssen Programme vielleicht auf ein neues warten.',
      refreshing: 'Wird erneuert …',
      refreshed: 'Erneuert.',
      stillNotRefreshed: 'Konnte nicht erneuert werden. Latchkey versucht es weiter.',
      copied: 'Kopiert. Wird nach 1 Minute aus der Zwischenablage gelöscht.',
      notCopied: 'Nicht kopiert: Zurzeit gibt es kein Zugriffstoken.',
      signingOut: {
        title: 'Abmelden?',
        body: (count) =>
          format.plural(count, {
            one: 'Ein Programm nutzt Ihre Sitzung oder hat sie in den letzten Minuten genutzt. Nach dem Abmelden bekommt es kein Token mehr.',
            other: `${format.number(count)} Programme nutzen Ihre Sitzung oder haben sie in den letzten Minuten genutzt. Nach dem Abmelden bekommen sie kein Token mehr.`,
          }),
        stay: 'Angemeldet bleiben',
        signOut: 'Trotzdem abmelden',
      },
      kept: {
        keychain: 'Sie bleiben auch nach einem Neustart angemeldet.',
        memory: `${keychain.none}: Sie bleiben angemeldet, bis Sie Latchkey beenden.`,
      },
    },

    notices: {
      count: (count) => format.plural(count, { one: '1 Hinweis', other: `${format.number(count)} Hinweise` }),
      show: 'Zeigen Sie das Ihrer IT.',
    },

    agent: deAgent(format),
    tools: deTools,
    settings: deSettings(format, keychain),
    defect: deDefect,

    changePassword: {
      heading: 'Passwort ändern',
      lead: 'Ihre Programme bleiben angemeldet.',
      changed: 'Passwort geändert.',
      advice: 'Mehrere ungewöhnliche Wörter ergeben ein starkes Passwort.',
      strength: ({ level, hint }) => {
        const word = ['Sehr schwach', 'Schwach', 'Mittel', 'Gut', 'Stark'][level]
        if (level > 2) return `${word}.`
        const because = {
          common: 'einem häufigen Passwort zu ähnlich',
          word: 'ein einzelnes Wort ist leicht zu erraten',
          name: 'Namen sind leicht zu erraten',
          pattern: 'Folgen und Wiederholungen sind leicht zu erraten',
          date: 'Datumsangaben sind leicht zu erraten',
          short: 'ein Wort mehr würde helfen',
        }[hint]
        return `${word}: ${because}.`
      },
    },

    failure: createFailureSentences(deFailures(format, keychain)),
    unexpected: {
      title: 'In Latchkey ist etwas schiefgegangen.',
      body: 'Versuchen Sie es erneut. Passiert es wieder, beenden Sie Latchkey und starten Sie es neu.',
    },
    says: { service: 'Der Dienst meldet:', identityProvider: 'Ihr Identitätsanbieter meldet:' },

    details: deDetails(format),

    state: {
      notConfigured: 'Nicht eingerichtet',
      restoring: 'Ihre Sitzung wird wiederhergestellt',
      sessionUnread: {
        locked: system === 'windows' ? `${keychain.Ihr} antwortet nicht` : `${keychain.Ihr} ist gesperrt`,
        unavailable: `${keychain.Ihr} antwortet nicht`,
        missing: `Ihre Sitzung ist nicht ${keychain.inIhrem}`,
      },
      unknownVersion: 'Sitzung von anderer Version gespeichert',
      signedOut: 'Abgemeldet',
      waiting: (tools) =>
        `${format.plural(tools.length, { one: 'Auf Ihre Anmeldung wartet', other: 'Auf Ihre Anmeldung warten' })}: ${format.few(tools, (count) => `${count} weitere`)}`,
      signingIn: 'Anmeldung läuft',
      signedIn: (name, host) =>
        name === ''
          ? `Angemeldet bei ${service(host)}`
          : host === undefined
            ? `Angemeldet als ${name}`
            : `Angemeldet als ${name} · ${host}`,
      refreshing: 'Wird erneuert',
      unreachable: (asked) => `${who(asked)} nicht erreichbar`,
      refreshFailing: (asked) => `${who(asked)}: noch kein neues Zugriffstoken`,
      sessionKept: 'Sitzung bleibt erhalten',
      ending: 'Ihre Sitzung kann nicht erneuert werden. Bitte erneut anmelden',
      expired: 'Ihre Sitzung ist beendet. Bitte erneut anmelden',
      noToken: 'Ihre Programme bekommen kein Token',
      unsaved: 'Ihre Sitzung lässt sich derzeit nicht speichern',
    },

    settingsProblem: ({ where, problem }) =>
      ({
        unusable: `Der Wert von ${where} ist ungültig und wurde ignoriert.`,
        strictest: `Der Wert von ${where} ist ungültig. Bis er korrigiert ist, gilt der strengste Wert.`,
        closed: `Bis ${where} korrigiert ist, erhalten Programme keine Token und KI-Programme keine Daten, das Gateway ist aus, und es lassen sich keine Verbindungen hinzufügen.`,
        missing: `${where} gibt es auf diesem Computer nicht.`,
        unreadable: `${where} kann nicht gelesen werden und wurde ignoriert.`,
        unsafe: `${where} wurde ignoriert, weil nicht nur Administratoren Schreibrechte haben.`,
        notPrivate: `${where} wurde ignoriert, weil ein anderer Benutzer die Datei geändert haben könnte. Prüfen Sie Ihre Einstellungen.`,
        damaged: `${where} ist beschädigt und wurde ignoriert.`,
        taken: `${where} hat die Adresse einer anderen Verbindung und wurde ignoriert.`,
        notAllowed: `${where} wurde ignoriert, weil eigene Verbindungen hier nicht erlaubt sind. Die Sitzung bleibt erhalten.`,
        managedSecret: `${where} wurde ignoriert: Das Client-Secret ist außerhalb von Latchkey festgelegt und wird nur an eine Anbieteradresse gesendet, die ebenfalls dort festgelegt ist.`,
      })[problem],

    proxy: deProxy(keychain),
    sessionEnd: deSessionEnd(format, keychain),
    check: deCheckComputer(format),
    connections: deConnections,
    desktop: deDesktop(keychain, system),
    tray: {
      tooltip: (line) => `Latchkey: ${line}`,
      timeLeft: (ms) => `Zugriffstoken: ${left(ms)}`,
      timeLeftOver: (ms) => `Zugriffstoken: noch etwa ${format.left(ms)}`,
      show: 'Latchkey anzeigen',
      signIn: 'Anmelden …',
      help: 'Hilfe',
      refreshNow: 'Jetzt erneuern',
      signOut: 'Abmelden',
      quit: 'Latchkey beenden',
      noTray: {
        title: 'Latchkey läuft weiter.',
        body: 'Dieser Desktop hat keinen Infobereich. Starten Sie Latchkey erneut, um das Fenster zu öffnen.',
      },
    },

    notifications: {
      ending: (host, at, now) => ({
        title: 'Erneut anmelden',
        body: `Ihre Sitzung bei ${service(host)} kann nicht erneuert werden. Ihre Programme arbeiten ${until(at, now)} weiter.`,
      }),
      aboutToEnd: (host, at, now) => ({
        title: 'Ihre Sitzung endet bald',
        body: `Ihre Programme haben ${until(at, now)} Zugriff bei ${service(host)}. Melden Sie sich erneut an, um eine Unterbrechung zu vermeiden.`,
      }),
      ended: (host) => ({
        title: 'Erneut anmelden',
        body: `Ihre Sitzung bei ${service(host)} ist beendet. Ihre Programme bekommen erst wieder ein Token, wenn Sie sich anmelden.`,
      }),
      waiting: (tool, host) => ({
        title: `${tool} wartet auf Ihre Anmeldung`,
        body: `Melden Sie sich bei ${service(host)} an, dann geht es sofort weiter.`,
      }),
      asked: (tool, host) => ({
        title: `${tool} braucht Ihre Anmeldung`,
        body: `Das Programm hat kein Token bekommen, weil Sie bei ${service(host)} nicht angemeldet sind. Melden Sie sich an, und starten Sie es noch einmal.`,
      }),
      unsaved: {
        title: 'Ihre Sitzung lässt sich derzeit nicht speichern',
        body: `Das Speichern ${keychain.inIhrem} ist fehlgeschlagen: ${keychain.unwritable}. Sie bleiben angemeldet, und Latchkey versucht es weiter. Wenn Sie jetzt beenden, müssen Sie sich vielleicht erneut anmelden.`,
      },
    },
  }
}
