import type { Texts } from '../en/index.ts'

export const frChallenge: Texts['challenge'] = {
  heading: 'Encore une étape',
  choose: 'Choisissez comment confirmer votre identité.',
  lead: {
    app: 'Saisissez le code affiché par votre application d’authentification.',
    textMessage: 'Saisissez le code reçu par SMS.',
    phoneCall: 'Saisissez le code reçu par appel téléphonique.',
    email: 'Saisissez le code reçu par e-mail.',
    push: 'Approuvez la connexion sur votre téléphone.',
    recoveryCode: 'Saisissez l’un de vos codes de récupération. Chacun ne sert qu’une fois.',
  },
  authenticators: {
    app: 'Application d’authentification',
    textMessage: 'SMS',
    phoneCall: 'Appel téléphonique',
    email: 'E-mail',
    push: 'Approbation sur le téléphone',
    recoveryCode: 'Code de récupération',
  },
  usual: 'utilisé en dernier',
  waiting: 'En attente de votre approbation…',
  endingIn: (end) => `se terminant par ${end}`,
  newRecoveryCode: {
    heading: 'Votre nouveau code de récupération',
    lead: 'Il remplace celui que vous venez d’utiliser. Conservez-le en lieu sûr : Latchkey ne l’affiche qu’une fois.',
    label: 'Nouveau code de récupération',
    copy: 'Copier',
    keep: 'Je l’ai enregistré',
  },
  browser: {
    heading: 'Terminez la connexion dans votre navigateur',
    lead: 'Votre navigateur affiche la page de votre fournisseur d’identité. Latchkey continue automatiquement dès que vous avez terminé.',
    again: 'Rouvrir le navigateur',
    waiting: 'En attente de votre navigateur…',
    errorPage: 'Si votre navigateur affiche une erreur, montrez-la à votre administrateur.',
    consent: {
      heading: 'Encore une question dans votre navigateur',
      lead: 'Votre fournisseur d’identité demande si Latchkey peut vous garder connecté. Si vous refusez, vous restez connecté jusqu’à l’expiration de votre jeton d’accès.',
    },
  },
}
