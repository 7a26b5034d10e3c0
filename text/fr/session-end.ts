import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { FrKeychain } from './keychain.ts'

export const frSessionEnd = (format: Format, keychain: FrKeychain): Texts['sessionEnd'] => ({
  until: (at, now, by) =>
    `Vous restez connecté jusqu’à ${format.moment(at, now)} environ, ${
      {
        service: 'selon votre service',
        identityProvider: 'selon votre fournisseur d’identité',
        earlierSessions: 'comme lors de vos dernières sessions',
      }[by]
    }.`,
  atLeast: (at, now) => `Vous restez connecté au moins jusqu’à ${format.moment(at, now)}.`,
  noLimit: 'Vous restez connecté : votre fournisseur d’identité ne fixe aucune limite.',
  notKnown: (by) =>
    `Votre ${by === 'service' ? 'service' : 'fournisseur d’identité'} n’indique pas quand votre session se termine.`,
  soon: (at, now) => `Votre session se termine vers ${format.moment(at, now)}`,
  soonBody: (by) =>
    `${
      {
        service: 'C’est ce qu’indique votre service',
        identityProvider: 'C’est ce qu’indique votre fournisseur d’identité',
        earlierSessions: 'Vos dernières sessions ont duré aussi longtemps',
      }[by]
    }. Reconnectez-vous avant, et vos outils continueront.`,
  notification: (host, at, now) => ({
    title: 'Votre session se termine bientôt',
    body: `Votre session sur ${host ?? 'votre service'} se termine vers ${format.moment(at, now)}. Reconnectez-vous avant, et vos outils continueront.`,
  }),
  whatEnds: {
    heading: 'Ce qui met fin à votre session',
    ends: [
      'Vous vous déconnectez, ici ou avec latchkey sign-out.',
      'Vous vous connectez avec un autre compte, ou supprimez la connexion.',
      `Vous quittez Latchkey alors que la session n’est pas enregistrée dans ${keychain.votre}.`,
      'La session atteint la limite que fixe votre service ou votre fournisseur d’identité.',
      'Votre mot de passe est changé ailleurs, et le fournisseur met alors fin à toutes les sessions.',
      'Votre administrateur supprime la connexion.',
      `Son entrée est supprimée dans ${keychain.votre} pendant que Latchkey n’est pas lancé.`,
    ],
    keepsHeading: 'Ce qui n’y met pas fin',
    keeps: [
      `Fermer la fenêtre, ou quitter Latchkey si la session est enregistrée dans ${keychain.votre}.`,
      `Fermer la session de l’ordinateur ou le redémarrer, si la session est enregistrée dans ${keychain.votre}.`,
      'La mise en veille. Mais beaucoup de fournisseurs mettent fin à une session qui n’est pas renouvelée pendant longtemps.',
      'Une absence du réseau, du VPN ou du service, même pendant des heures.',
      'Changer votre mot de passe dans Latchkey.',
    ],
  },
})
