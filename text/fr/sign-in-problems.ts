import type { ServerRole, SignInProblems } from '../sentence.ts'

const who = ({ host }: ServerRole): string => host ?? 'votre fournisseur d’identité'

export const frSignInProblems: SignInProblems = {
  stepExpired: () => ({
    title: 'Le délai est dépassé.',
    body: 'Reconnectez-vous : vous avez dix minutes pour cette étape.',
  }),
  stepRefused: (asked) => ({
    title: `${asked.host ?? 'Votre fournisseur d’identité'} a mis fin à cette connexion.`,
    body: 'Reconnectez-vous. Si cela se reproduit, montrez les détails à votre administrateur.',
  }),
  accountBlocked: ({ host }) => ({
    title: `Votre compte sur ${host ?? 'votre fournisseur d’identité'} est bloqué.`,
    body: 'Suivez le message que vous en avez peut-être reçu. Sinon, demandez à votre administrateur de le débloquer.',
  }),
  singleSignOnOnly: () => ({
    title: 'Votre compte utilise l’authentification unique.',
    body: 'Choisissez ci-dessous l’authentification unique et utilisez votre compte d’entreprise. Si ce choix manque, adressez-vous à votre administrateur.',
  }),
  notEnrolled: (asked) => ({
    title: 'Vous n’avez configuré aucun second facteur utilisable par Latchkey.',
    body: `Configurez une application d’authentification dans votre compte chez ${who(asked)}, puis reconnectez-vous.`,
  }),
  noSecondFactor: (asked) => ({
    title: `${asked.host ?? 'Votre fournisseur d’identité'} n’autorise pas Latchkey à demander votre second facteur.`,
    body: 'Demandez à votre administrateur de l’autoriser ou de configurer la connexion dans le navigateur.',
  }),
  approvalRefused: () => ({
    title: 'La connexion a été refusée sur votre téléphone.',
    body: 'Si c’était vous, reconnectez-vous. Sinon, prévenez votre administrateur.',
  }),
  codeLength: () => ({
    title: 'Ce code n’a pas la bonne longueur.',
    body: 'Saisissez les six ou huit chiffres affichés par votre application.',
  }),
  browserUnavailable: () => ({
    title: 'Votre navigateur ne s’est pas ouvert.',
    body: 'Vérifiez que cet ordinateur a un navigateur par défaut, puis réessayez.',
  }),
  openedLately: (_, wait) => ({ title: 'Latchkey vient d’ouvrir votre navigateur.', body: wait }),
  browserTimeout: () => ({
    title: 'La connexion dans le navigateur a pris trop de temps.',
    body: 'Réessayez : vous avez cinq minutes. Si votre navigateur affiche une erreur, montrez-la à votre administrateur.',
  }),
  consentDenied: ({ host }) => ({
    title: `${host ?? 'Votre fournisseur d’identité'} n’a pas autorisé la connexion.`,
    body: 'Si vous avez refusé par erreur, réessayez. Sinon, contactez votre administrateur.',
  }),
  browserRefused: () => ({
    title: 'Votre fournisseur d’identité n’a pas accepté la connexion du navigateur.',
    body: 'Réessayez. Si cela se répète, montrez les détails à votre administrateur.',
  }),
  answerRefused: () => ({
    title: 'Latchkey n’a pas pu vérifier la réponse de votre fournisseur d’identité.',
    body: 'Vous n’êtes pas connecté. Réessayez. Si cela se répète, montrez les détails à votre administrateur.',
  }),
  portTaken: () => ({
    title: 'Un autre programme utilise le port de la connexion dans le navigateur.',
    body: 'Fermez ce programme, ou demandez un autre port à votre administrateur.',
  }),
  otherSignIn: () => ({
    title: 'Une autre connexion est déjà en cours dans votre navigateur.',
    body: 'Terminez-la dans le navigateur, ou choisissez sa connexion dans Latchkey et annulez-la, puis réessayez.',
  }),
  recoveryCodeUnderWay: () => ({
    title: 'Terminez d’abord la connexion avec votre code de récupération.',
    body: 'Conservez le nouveau code de récupération si vous en recevez un. Puis réessayez.',
  }),
}
