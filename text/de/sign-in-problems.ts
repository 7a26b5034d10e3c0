import type { ServerRole, SignInProblems } from '../sentence.ts'

const who = ({ host }: ServerRole): string => host ?? 'Ihrem Identitätsanbieter'

export const deSignInProblems: SignInProblems = {
  stepExpired: () => ({
    title: 'Das hat zu lange gedauert.',
    body: 'Melden Sie sich erneut an. Für diesen Schritt haben Sie zehn Minuten.',
  }),
  stepRefused: (asked) => ({
    title: `${asked.host ?? 'Ihr Identitätsanbieter'} hat diese Anmeldung beendet.`,
    body: 'Melden Sie sich erneut an. Passiert das wieder, zeigen Sie Ihrer IT die Einzelheiten.',
  }),
  accountBlocked: ({ host }) => ({
    title: `Ihr Konto bei ${host ?? 'Ihrem Identitätsanbieter'} ist gesperrt.`,
    body: 'Folgen Sie der Nachricht, die Sie vielleicht von dort erhalten haben. Sonst bitten Sie Ihre IT, es zu entsperren.',
  }),
  singleSignOnOnly: () => ({
    title: 'Ihr Konto nutzt Single Sign-on.',
    body: 'Wählen Sie unten Single Sign-on und verwenden Sie Ihr Firmenkonto. Fehlt diese Auswahl, fragen Sie Ihre IT.',
  }),
  notEnrolled: (asked) => ({
    title: 'Sie haben keinen zweiten Faktor eingerichtet, den Latchkey verwenden kann.',
    body: `Richten Sie in Ihrem Konto bei ${who(asked)} eine Authenticator-App ein und melden Sie sich erneut an.`,
  }),
  noSecondFactor: (asked) => ({
    title: `${asked.host ?? 'Ihr Identitätsanbieter'} erlaubt Latchkey nicht, Ihren zweiten Faktor abzufragen.`,
    body: 'Bitten Sie Ihre IT, das zu erlauben oder die Anmeldung im Browser einzurichten.',
  }),
  approvalRefused: () => ({
    title: 'Die Anmeldung wurde auf Ihrem Telefon abgelehnt.',
    body: 'Falls Sie das waren, melden Sie sich erneut an. Falls nicht, informieren Sie Ihre IT.',
  }),
  codeLength: () => ({
    title: 'Der Code hat die falsche Länge.',
    body: 'Geben Sie die sechs oder acht Ziffern ein, die Ihre App zeigt.',
  }),
  browserUnavailable: () => ({
    title: 'Ihr Browser ließ sich nicht öffnen.',
    body: 'Prüfen Sie, ob dieser Computer einen Standardbrowser hat, und versuchen Sie es erneut.',
  }),
  openedLately: (_, wait) => ({ title: 'Latchkey hat Ihren Browser gerade erst geöffnet.', body: wait }),
  browserTimeout: () => ({
    title: 'Die Anmeldung im Browser hat zu lange gedauert.',
    body: 'Versuchen Sie es erneut. Sie haben fünf Minuten. Wenn Ihr Browser einen Fehler zeigt, zeigen Sie ihn Ihrer IT.',
  }),
  consentDenied: ({ host }) => ({
    title: `${host ?? 'Ihr Identitätsanbieter'} hat die Anmeldung nicht erlaubt.`,
    body: 'Falls Sie versehentlich abgelehnt haben, versuchen Sie es erneut. Sonst wenden Sie sich an Ihre IT.',
  }),
  browserRefused: () => ({
    title: 'Ihr Identitätsanbieter hat die Anmeldung aus dem Browser nicht angenommen.',
    body: 'Versuchen Sie es erneut. Passiert es wieder, zeigen Sie Ihrer IT die Einzelheiten.',
  }),
  answerRefused: () => ({
    title: 'Latchkey konnte die Antwort Ihres Identitätsanbieters nicht überprüfen.',
    body: 'Sie wurden nicht angemeldet. Versuchen Sie es erneut. Passiert es wieder, zeigen Sie Ihrer IT die Einzelheiten.',
  }),
  portTaken: () => ({
    title: 'Ein anderes Programm belegt den Port für die Anmeldung im Browser.',
    body: 'Schließen Sie dieses Programm, oder bitten Sie Ihre IT um einen anderen Port.',
  }),
  otherSignIn: () => ({
    title: 'In Ihrem Browser ist bereits eine Anmeldung offen.',
    body: 'Schließen Sie sie im Browser ab, oder wählen Sie ihre Verbindung in Latchkey und brechen Sie sie dort ab. Versuchen Sie es dann erneut.',
  }),
  recoveryCodeUnderWay: () => ({
    title: 'Schließen Sie zuerst die begonnene Anmeldung ab.',
    body: 'Falls Sie einen neuen Wiederherstellungscode erhalten, bewahren Sie ihn auf. Versuchen Sie es dann erneut.',
  }),
}
