import type { FailureWords } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { DeKeychain } from './keychain.ts'
import { deSignInProblems } from './sign-in-problems.ts'

const GUEST_NETWORK =
  'Vielleicht verlangt Ihr Netzwerk zuerst eine Anmeldung. Öffnen Sie eine beliebige Seite im Browser und versuchen Sie es dann erneut.'
const KEPT = 'Sie bleiben angemeldet.'
const UNCHANGED = 'Das Passwort ist unverändert.'
const UNSURE = 'Funktioniert das alte Passwort nicht mehr, verwenden Sie das neue.'
const SHOW = 'Zeigen Sie die Einzelheiten Ihrer IT.'
const NOTHING_SENT = `Es wurde nichts gesendet. ${SHOW}`
const NETWORK = 'Prüfen Sie Ihr Netzwerk oder VPN und versuchen Sie es erneut.'

const who = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'Ihr Identitätsanbieter' : 'Ihr Dienst')
/** What the server is called after the prepositions “bei” and “von”. */
const whom = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'Ihrem Identitätsanbieter' : 'Ihrem Dienst')

export const deFailures = (format: Format, keychain: DeKeychain): FailureWords => ({
  kept: KEPT,
  turnedAway: (asked) => ({
    title: `${who(asked)} hat die Anfrage abgelehnt.`,
    body: 'Prüfen Sie die Adresse und versuchen Sie es erneut.',
  }),
  wrongPassword: {
    service: {
      title: 'Benutzername oder Passwort ist falsch.',
      body: 'Prüfen Sie beides und versuchen Sie es erneut.',
    },
    identityProvider: {
      title: 'Benutzername oder Passwort ist falsch.',
      body: 'Verwenden Sie die Daten Ihres Firmenkontos. Prüfen Sie beides und versuchen Sie es erneut.',
    },
  },
  wrongCode: { title: 'Der Code wurde abgelehnt.', body: 'Prüfen Sie ihn und versuchen Sie es erneut.' },
  signIn: deSignInProblems,
  ended: {
    settings: {
      title: 'Ihre Sitzung ist beendet.',
      body: 'Ihre Programme bekommen erst wieder ein Token, wenn Sie sich anmelden.',
    },
    signIn: { title: 'Die Anmeldung wurde unterbrochen.', body: 'Melden Sie sich erneut an.' },
    session: {
      title: 'Ihre Sitzung ist beendet.',
      body: 'Ihre Programme bekommen erst wieder ein Token, wenn Sie sich anmelden.',
    },
    changePassword: { title: 'Ihre Sitzung ist beendet.', body: `${UNCHANGED} Melden Sie sich zuerst erneut an.` },
  },
  otherIssuer: {
    title: 'Die Adresse für Single Sign-on hat sich geändert.',
    body: 'Melden Sie sich erneut an. Bis dahin bleibt Ihre bisherige Sitzung erhalten, falls die alte Adresse zurückkommt.',
  },
  otherClient: {
    title: 'Die Einstellungen für Single Sign-on haben sich geändert.',
    body: 'Melden Sie sich erneut an. Bis dahin bleibt Ihre bisherige Sitzung erhalten, falls die alte Client-ID zurückkommt.',
  },
  hasToWait: (asked) => `${who(asked)} hat Latchkey gebeten zu warten.`,
  tooManyTries: (asked) => `Zu viele Versuche bei ${whom(asked)}.`,
  waitThenTryAgain: (ms) =>
    `Warten Sie ${ms === undefined ? 'einen Moment' : format.wait(ms)} und versuchen Sie es dann erneut.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked) => `${who(asked)} ist nicht erreichbar.`,
    body: {
      settings: 'Prüfen Sie die Adresse und Ihr Netzwerk und versuchen Sie es erneut.',
      signIn: NETWORK,
      session: KEPT,
      changePassword: `${NETWORK} ${UNSURE}`,
    },
  },
  unavailable: {
    title: (asked) => `${who(asked)} antwortet nicht wie erwartet.`,
    body: {
      settings: 'Prüfen Sie die Adresse, oder versuchen Sie es in ein paar Minuten erneut.',
      signIn: 'Versuchen Sie es in ein paar Minuten erneut. Hilft das nicht, zeigen Sie Ihrer IT die Einzelheiten.',
      session: KEPT,
      changePassword: `Versuchen Sie es in ein paar Minuten erneut. ${UNSURE}`,
    },
  },
  proxyAway: (proxy, variable) =>
    `Der Proxy ${proxy} (aus ${variable ?? 'den Einstellungen des Systems'}) antwortet nicht.`,
  webPage: {
    title: (asked) => `Eine Webseite hat statt ${whom(asked)} geantwortet.`,
    body: {
      settings: GUEST_NETWORK,
      signIn: GUEST_NETWORK,
      session: `${KEPT} Vielleicht verlangt Ihr Netzwerk eine Anmeldung: Öffnen Sie eine beliebige Seite im Browser.`,
      changePassword: `${GUEST_NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked) => `${who(asked)} ist nicht zu finden.`,
    body: {
      settings:
        'Prüfen Sie die Schreibweise. Stimmt sie, verbinden Sie sich mit Ihrem VPN und versuchen Sie es erneut, oder wählen Sie „Trotzdem fortfahren“.',
      signIn:
        'Prüfen Sie Ihr Netzwerk oder VPN. Wenn die Adresse falsch geschrieben ist, korrigieren Sie sie in den Einstellungen.',
    },
  },
  unencrypted: {
    title: (asked) => `${who(asked)} hat unverschlüsselt geantwortet.`,
    body: 'Prüfen Sie den Port. Läuft der Dienst auf diesem Computer, beginnen Sie die Adresse mit http://.',
  },
  untrusted: {
    title: (asked) => `Latchkey vertraut dem Zertifikat von ${whom(asked)} nicht.`,
    body: {
      settings: NOTHING_SENT,
      signIn: NOTHING_SENT,
      session: `${KEPT} ${SHOW}`,
      changePassword: NOTHING_SENT,
    },
  },
  proxy: {
    title: 'Der Proxy Ihres Netzwerks verlangt eine Anmeldung.',
    body: {
      settings: 'Melden Sie sich am Proxy an und versuchen Sie es erneut.',
      signIn: 'Melden Sie sich am Proxy an und versuchen Sie es erneut.',
      session: `${KEPT} Melden Sie sich am Proxy an, dann geht es weiter.`,
      changePassword: 'Melden Sie sich am Proxy an und versuchen Sie es erneut.',
    },
  },
  proxyUnsupported: {
    title: 'Der Proxy Ihres Netzwerks verlangt eine Anmeldemethode, die Latchkey nicht unterstützt.',
    body: `Latchkey kann sich hier mit einem Passwort oder mit Kerberos an einem Proxy anmelden. ${SHOW}`,
  },
  proxyKerberos: {
    title: 'Der Proxy Ihres Netzwerks verlangt ein Kerberos-Ticket und hat keins bekommen.',
    body: `Melden Sie sich mit Ihrem Firmenkonto an diesem Computer an, oder führen Sie kinit aus, und versuchen Sie es erneut. Hilft das nicht: ${SHOW}`,
  },
  malformed: {
    title: (asked) => `Latchkey versteht die Antwort von ${whom(asked)} nicht.`,
    body: {
      settings: 'Prüfen Sie die Adresse, oder wenden Sie sich an Ihre IT.',
      signIn: 'Prüfen Sie die Adresse des Dienstes, oder wenden Sie sich an Ihre IT.',
      session: `${KEPT} Bleibt es dabei, wenden Sie sich an Ihre IT.`,
      changePassword: `${UNSURE} Wenden Sie sich an Ihre IT.`,
    },
    ssoSignIn: 'Versuchen Sie es erneut, oder wenden Sie sich an Ihre IT.',
  },
  wrongCurrentPassword: {
    title: 'Das aktuelle Passwort ist falsch.',
    body: `${UNCHANGED} Prüfen Sie es und versuchen Sie es erneut.`,
  },
  passwordRefused: { title: 'Das neue Passwort wurde abgelehnt.', body: 'Wählen Sie ein anderes.' },
  oneMoreStep: {
    title: {
      service: 'Ihr Dienst verlangt einen weiteren Schritt.',
      identityProvider: 'Ihr Identitätsanbieter verlangt einen weiteren Schritt.',
    },
    body: {
      settings: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einer anderen Anmeldung.',
      signIn: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einer anderen Anmeldung.',
      session: 'Melden Sie sich erneut an, um fortzufahren.',
      changePassword: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einer anderen Anmeldung.',
    },
  },
  keychain: {
    title: `${keychain.Ihr} antwortet nicht.`,
    body: {
      settings: keychain.unlock,
      signIn: keychain.unlock,
      session: `${KEPT} ${keychain.unlock}`,
      changePassword: keychain.unlock,
    },
  },
  settingsUnwritable: {
    title: 'Ihre Einstellungen lassen sich nicht speichern.',
    body: 'Vielleicht ist die Festplatte voll oder schreibgeschützt. Schaffen Sie Platz und versuchen Sie es erneut.',
  },
  passwordOfProvider: {
    title: 'Dieses Passwort kann Latchkey nicht ändern.',
    body: 'Es gehört zu Ihrem Identitätsanbieter: Ändern Sie es dort.',
  },
  providerRefusesSettings: {
    title: 'Ihr Identitätsanbieter nimmt die Einstellungen von Latchkey nicht an.',
    body: {
      settings: `Es liegt nicht an Ihrem Passwort. ${SHOW}`,
      signIn: `Es liegt nicht an Ihrem Passwort. ${SHOW}`,
      session: `${KEPT} ${SHOW}`,
      changePassword: `Es liegt nicht an Ihrem Passwort. ${SHOW}`,
    },
  },
  ssoGone: {
    title: 'Single Sign-on ist nicht mehr eingerichtet.',
    body: 'Melden Sie sich mit Ihrem Passwort an, oder wenden Sie sich an Ihre IT.',
  },
  ssoNotSetUp: {
    title: 'Single Sign-on ist nicht eingerichtet.',
    body: 'Verwenden Sie Ihr Passwort, oder wenden Sie sich an Ihre IT.',
  },
  noService: { title: 'Latchkey kennt Ihren Dienst noch nicht.', body: 'Geben Sie zuerst seine Adresse ein.' },
  notConfirmed: {
    title: 'Es wurde nichts gespeichert.',
    body: 'Falls diese Frage unerwartet kam, informieren Sie Ihre IT.',
  },
  justRefused: 'Sie haben das gerade abgelehnt.',
  inputs: {
    settings: {
      any: {
        title: 'Diese Einstellungen sind ungültig.',
        body: 'Prüfen Sie Ihre Eingaben und versuchen Sie es erneut.',
      },
      tooLong: { title: 'Einer der Werte ist zu lang.', body: 'Prüfen Sie, ob versehentlich Text eingefügt wurde.' },
    },
    signIn: {
      any: {
        title: 'Benutzername oder Passwort ist ungültig.',
        body: 'Prüfen Sie beides und versuchen Sie es erneut.',
      },
      empty: {
        title: 'Der Benutzername oder das Passwort fehlt.',
        body: 'Geben Sie beides ein und versuchen Sie es erneut.',
      },
      tooLong: {
        title: 'Benutzername oder Passwort ist zu lang.',
        body: 'Prüfen Sie, ob versehentlich Text eingefügt wurde, und versuchen Sie es erneut.',
      },
      inexpressible: {
        title: 'Benutzername oder Passwort ist ungültig.',
        body: 'Entfernen Sie Zeilenumbrüche und Tabulatoren und versuchen Sie es erneut.',
      },
      username: {
        title: 'Dieser Benutzername ist ungültig.',
        body: 'Entfernen Sie Doppelpunkte, Zeilenumbrüche und Tabulatoren und versuchen Sie es erneut.',
      },
      password: {
        title: 'Ein Passwort kann keinen Zeilenumbruch oder Tabulator enthalten.',
        body: 'Geben Sie Ihr Passwort noch einmal ein.',
      },
    },
    challenge: {
      any: {
        title: 'Diese Eingabe kann nicht verwendet werden.',
        body: 'Prüfen Sie Ihre Eingabe und versuchen Sie es erneut.',
      },
    },
    changePassword: {
      any: { title: 'Dieses Passwort kann nicht verwendet werden.', body: 'Wählen Sie ein anderes.' },
      currentPassword: {
        title: 'Das kann nicht Ihr aktuelles Passwort sein.',
        body: 'Entfernen Sie Zeilenumbrüche und Tabulatoren und versuchen Sie es erneut.',
      },
      empty: {
        title: 'Das neue Passwort fehlt.',
        body: 'Geben Sie es zweimal ein und versuchen Sie es erneut.',
      },
      tooLong: { title: 'Dieses Passwort ist zu lang.', body: 'Wählen Sie eines mit höchstens 4.096 Zeichen.' },
      inexpressible: {
        title: 'Ein Passwort kann keinen Zeilenumbruch oder Tabulator enthalten.',
        body: 'Wählen Sie ein anderes.',
      },
    },
  },
})
