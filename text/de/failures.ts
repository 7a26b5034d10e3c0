/** German: the sentences for each failure, by the operation that failed. */
import type { FailureWords } from '../failures.ts'
import type { Format } from '../format.ts'
import type { Asked } from '../sentence.ts'
import { deSignInProblems } from './sign-in-problems.ts'

const KEPT = 'Ihre Sitzung bleibt erhalten.'
const UNCHANGED = 'Das Passwort ist unverändert.'
const UNSURE = 'Gilt das alte Passwort nicht mehr, gilt das neue.'
const SHOW = 'Zeigen Sie die Einzelheiten Ihrer IT.'
const NOTHING_SENT = `Es wurde nichts gesendet. ${SHOW}`
const NETWORK = 'Prüfen Sie Ihr Netzwerk oder VPN und versuchen Sie es erneut.'

/** After “bei”, “von” and “auf”. */
const whom = ({ host, issuer }: Asked): string =>
  host ?? (issuer === 'identityProvider' ? 'Ihrem Identitätsanbieter' : 'Ihrem Dienst')
/** As an object. */
const what = ({ host, issuer }: Asked): string =>
  host ?? (issuer === 'identityProvider' ? 'Ihren Identitätsanbieter' : 'Ihren Dienst')

export const deFailures = (format: Format): FailureWords => ({
  kept: KEPT,
  turnedAway: (asked) => ({
    title: `Die Anfrage wurde von ${whom(asked)} abgelehnt.`,
    body: 'Prüfen Sie die Adresse und versuchen Sie es erneut.',
  }),
  wrongPassword: {
    service: {
      title: 'Benutzername oder Passwort ist falsch.',
      body: 'Prüfen Sie beides und versuchen Sie es erneut.',
    },
    identityProvider: {
      title: 'Benutzername oder Passwort ist falsch.',
      body: 'Verwenden Sie die Ihres Firmenkontos. Prüfen Sie beides und versuchen Sie es erneut.',
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
    title: 'Single Sign-on hat eine andere Adresse bekommen.',
    body: 'Melden Sie sich erneut an. Bis dahin bleibt Ihre bisherige Sitzung erhalten, falls die Adresse zurückkommt.',
  },
  hasToWait: (asked) => `Latchkey muss auf ${what(asked)} warten.`,
  tooManyTries: (asked) => `Bei ${whom(asked)} gab es zu viele Versuche.`,
  waitThenTryAgain: (ms) =>
    `Warten Sie ${ms === undefined ? 'einen Moment' : format.wait(ms)} und versuchen Sie es dann erneut.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked) => `Latchkey kann ${what(asked)} nicht erreichen.`,
    body: {
      settings: 'Prüfen Sie die Adresse und Ihr Netzwerk und versuchen Sie es erneut.',
      signIn: NETWORK,
      session: KEPT,
      changePassword: `${NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked) => `Latchkey kann ${what(asked)} nicht finden.`,
    body: 'Prüfen Sie die Schreibweise. Stimmt sie, kennt Ihr Netzwerk diesen Host vielleicht nicht: Verbinden Sie sich mit Ihrem VPN, oder fahren Sie ungeprüft fort.',
  },
  untrusted: {
    title: (asked) => `Latchkey traut dem Zertifikat von ${whom(asked)} nicht.`,
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
    title: 'Der Proxy Ihres Netzwerks verlangt eine Anmeldung, die Latchkey nicht unterstützt.',
    body: `Latchkey kann sich an Proxys nicht mit Kerberos oder NTLM anmelden. ${SHOW}`,
  },
  malformed: {
    title: (asked) => `Latchkey versteht die Antwort von ${whom(asked)} nicht.`,
    body: {
      settings: 'Prüfen Sie die Adresse, oder wenden Sie sich an Ihre IT.',
      signIn: 'Prüfen Sie die Adresse des Dienstes, oder wenden Sie sich an Ihre IT.',
      session: `${KEPT} Wenn das anhält, wenden Sie sich an Ihre IT.`,
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
      settings: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einem anderen Weg.',
      signIn: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einem anderen Weg.',
      session: `${KEPT} Wenn das anhält, melden Sie sich ab und erneut an.`,
      changePassword: 'Latchkey unterstützt ihn nicht. Fragen Sie Ihre IT nach einem anderen Weg.',
    },
  },
  keychain: {
    title: 'Ihr Schlüsselbund antwortet nicht.',
    body: {
      settings: 'Entsperren Sie ihn und versuchen Sie es erneut.',
      signIn: 'Entsperren Sie ihn und versuchen Sie es erneut.',
      session: `${KEPT} Entsperren Sie den Schlüsselbund, dann geht es weiter.`,
      changePassword: 'Entsperren Sie ihn und versuchen Sie es erneut.',
    },
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
    title: 'Sie haben die Änderung nicht bestätigt, daher wurde nichts gespeichert.',
    body: 'Versuchen Sie es erneut und bestätigen Sie die Änderung im Dialogfenster.',
  },
  inputs: {
    settings: {
      any: {
        title: 'Diese Einstellungen sind ungültig.',
        body: 'Prüfen Sie Ihre Eingaben und versuchen Sie es erneut.',
      },
      tooLong: { title: 'Etwas ist hier zu lang.', body: 'Suchen Sie nach Text, der versehentlich eingefügt wurde.' },
    },
    signIn: {
      any: {
        title: 'Benutzername oder Passwort können so nicht gesendet werden.',
        body: 'Prüfen Sie beides und versuchen Sie es erneut.',
      },
      empty: {
        title: 'Der Benutzername oder das Passwort fehlt.',
        body: 'Geben Sie beides ein und versuchen Sie es erneut.',
      },
      tooLong: {
        title: 'Benutzername oder Passwort sind zu lang.',
        body: 'Suchen Sie nach Text, der versehentlich eingefügt wurde, und versuchen Sie es erneut.',
      },
      inexpressible: {
        title: 'Benutzername oder Passwort können so nicht gesendet werden.',
        body: 'Suchen Sie nach einem eingefügten Zeilenumbruch oder Tabulator und versuchen Sie es erneut.',
      },
      username: {
        title: 'Dieser Benutzername kann nicht gesendet werden.',
        body: 'Suchen Sie nach einem Doppelpunkt, Zeilenumbruch oder Tabulator und versuchen Sie es erneut.',
      },
      password: {
        title: 'Dieses Passwort kann nicht gesendet werden.',
        body: 'Suchen Sie nach einem eingefügten Zeilenumbruch oder Tabulator und versuchen Sie es erneut.',
      },
    },
    challenge: {
      any: {
        title: 'Das kann nicht gesendet werden.',
        body: 'Prüfen Sie Ihre Eingabe und versuchen Sie es erneut.',
      },
    },
    changePassword: {
      any: { title: 'Dieses Passwort kann nicht verwendet werden.', body: 'Wählen Sie ein anderes.' },
      currentPassword: {
        title: 'Das kann nicht Ihr aktuelles Passwort sein.',
        body: 'Suchen Sie nach einem eingefügten Zeilenumbruch oder Tabulator und versuchen Sie es erneut.',
      },
      empty: {
        title: 'Das neue Passwort fehlt.',
        body: 'Geben Sie es zweimal ein und versuchen Sie es erneut.',
      },
      tooLong: { title: 'Dieses Passwort ist zu lang.', body: 'Wählen Sie eines mit höchstens 4.096 Zeichen.' },
      inexpressible: {
        title: 'Mit diesem Passwort könnten Sie sich nicht anmelden.',
        body: 'Suchen Sie nach einem eingefügten Zeilenumbruch oder Tabulator und wählen Sie eines ohne.',
      },
    },
  },
})
