import type { Texts } from '../en/index.ts'

export const deChallenge: Texts['challenge'] = {
  heading: 'Noch ein Schritt',
  choose: 'Wählen Sie, womit Sie Ihre Identität bestätigen.',
  lead: {
    app: 'Geben Sie den Code ein, den Ihre Authenticator-App zeigt.',
    textMessage: 'Geben Sie den Code aus der SMS ein.',
    phoneCall: 'Geben Sie den Code aus dem Anruf ein.',
    email: 'Geben Sie den Code aus der E-Mail ein.',
    push: 'Bestätigen Sie die Anmeldung auf Ihrem Telefon.',
    recoveryCode: 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  },
  authenticators: {
    app: 'Authenticator-App',
    textMessage: 'SMS',
    phoneCall: 'Anruf',
    email: 'E-Mail',
    push: 'Bestätigung auf dem Telefon',
    recoveryCode: 'Wiederherstellungscode',
  },
  usual: 'zuletzt verwendet',
  waiting: 'Warten auf Ihre Bestätigung …',
  endingIn: (end) => `endet auf ${end}`,
  newRecoveryCode: {
    heading: 'Ihr neuer Code',
    lead: 'Dieser Wiederherstellungscode ersetzt den soeben verwendeten. Bewahren Sie ihn sicher auf: Latchkey zeigt ihn nur einmal.',
    label: 'Neuer Wiederherstellungscode',
    copy: 'Kopieren',
    keep: 'Ich habe ihn gesichert',
  },
  browser: {
    heading: 'Schließen Sie die Anmeldung im Browser ab',
    lead: 'Ihr Browser zeigt die Seite Ihres Identitätsanbieters. Sobald Sie dort fertig sind, geht es hier automatisch weiter.',
    again: 'Browser erneut öffnen',
    waiting: 'Warten auf Ihren Browser …',
    errorPage: 'Wenn Ihr Browser einen Fehler zeigt, zeigen Sie ihn Ihrer IT.',
    consent: {
      heading: 'Noch eine Frage im Browser',
      lead: 'Ihr Identitätsanbieter fragt, ob Latchkey Sie angemeldet halten darf. Wenn Sie ablehnen, bleiben Sie nur angemeldet, bis Ihr Zugriffstoken abläuft.',
    },
  },
}
