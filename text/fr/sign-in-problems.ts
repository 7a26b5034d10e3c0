/** Français : ce qui a empêché une connexion, et que faire. */
import type { SignInProblems } from '../failures.ts'
import type { Asked } from '../sentence.ts'

const who = ({ host }: Asked): string => host ?? 'votre fournisseur d’identité'

export const frSignInProblems: SignInProblems = {
  stepExpired: () => ({
    title: 'Le délai est dépassé.',
    body: 'Reconnectez-vous : vous avez dix minutes pour cette étape.',
  }),
  notEnrolled: (asked) => ({
    title: 'Vous n’avez configuré aucun second facteur utilisable par Latchkey.',
    body: `Configurez une application d’authentification dans votre compte chez ${who(asked)}, puis reconnectez-vous.`,
  }),
  noSecondFactor: (asked) => ({
    title: `Latchkey ne peut pas demander le second facteur de ${who(asked)}.`,
    body: 'Demandez à votre administrateur de l’autoriser ou de configurer la connexion dans le navigateur.',
  }),
  approvalRefused: () => ({
    title: 'La connexion a été refusée sur votre téléphone.',
    body: 'Si c’était vous, reconnectez-vous. Sinon, prévenez votre administrateur.',
  }),
  codeLength: () => ({
    title: 'Ce code est incomplet.',
    body: 'Saisissez les six ou huit chiffres affichés par votre application.',
  }),
}
