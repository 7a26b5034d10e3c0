import type { FailureWords } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { FrKeychain } from './keychain.ts'
import { frSignInProblems } from './sign-in-problems.ts'

const GUEST_NETWORK =
  'Votre réseau demande peut-être de vous connecter d’abord. Ouvrez une page dans votre navigateur, puis réessayez.'
const KEPT = 'Vous restez connecté.'
const UNCHANGED = 'Le mot de passe est inchangé.'
const UNSURE = 'Si l’ancien mot de passe ne fonctionne plus, utilisez le nouveau.'
const SHOW = 'Montrez les détails à votre administrateur.'
const NOTHING_SENT = `Rien n’a été envoyé. ${SHOW}`
const NETWORK = 'Vérifiez votre réseau ou votre VPN, puis réessayez.'

const who = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'votre fournisseur d’identité' : 'votre service')
const whoAtStart = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'Votre fournisseur d’identité' : 'Votre service')

export const frFailures = (format: Format, keychain: FrKeychain): FailureWords => ({
  kept: KEPT,
  turnedAway: (asked) => ({
    title: `${whoAtStart(asked)} a refusé la requête.`,
    body: 'Vérifiez l’adresse et réessayez.',
  }),
  wrongPassword: {
    service: {
      title: 'Nom d’utilisateur ou mot de passe incorrect.',
      body: 'Vérifiez les deux, puis réessayez.',
    },
    identityProvider: {
      title: 'Nom d’utilisateur ou mot de passe incorrect.',
      body: 'Utilisez ceux de votre compte d’entreprise. Vérifiez les deux, puis réessayez.',
    },
  },
  wrongCode: { title: 'Le code a été refusé.', body: 'Vérifiez-le et réessayez.' },
  signIn: frSignInProblems,
  ended: {
    settings: {
      title: 'Votre session est terminée.',
      body: 'Vos outils n’obtiendront pas de jeton tant que vous ne serez pas reconnecté.',
    },
    signIn: { title: 'La connexion a été interrompue.', body: 'Reconnectez-vous.' },
    session: {
      title: 'Votre session est terminée.',
      body: 'Vos outils n’obtiendront pas de jeton tant que vous ne serez pas reconnecté.',
    },
    changePassword: { title: 'Votre session est terminée.', body: `${UNCHANGED} Reconnectez-vous d’abord.` },
  },
  otherIssuer: {
    title: 'L’authentification unique a changé d’adresse.',
    body: 'Reconnectez-vous. D’ici là, votre session précédente est conservée au cas où l’ancienne adresse reviendrait.',
  },
  otherClient: {
    title: 'Les réglages de l’authentification unique ont changé.',
    body: 'Reconnectez-vous. D’ici là, votre session précédente est conservée au cas où l’ancien ID client reviendrait.',
  },
  hasToWait: (asked) => `${whoAtStart(asked)} a demandé à Latchkey d’attendre.`,
  tooManyTries: (asked) => `Trop de tentatives auprès de ${who(asked)}.`,
  waitThenTryAgain: (ms) => `Attendez ${ms === undefined ? 'un peu' : format.wait(ms)}, puis réessayez.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked) => `Impossible de joindre ${who(asked)}.`,
    body: {
      settings: 'Vérifiez l’adresse et votre réseau, puis réessayez.',
      signIn: NETWORK,
      session: KEPT,
      changePassword: `${NETWORK} ${UNSURE}`,
    },
  },
  unavailable: {
    title: (asked) => `${whoAtStart(asked)} ne répond pas comme prévu.`,
    body: {
      settings: 'Vérifiez l’adresse, ou réessayez dans quelques minutes.',
      signIn: 'Réessayez dans quelques minutes. Si cela se reproduit, montrez les détails à votre administrateur.',
      session: KEPT,
      changePassword: `Réessayez dans quelques minutes. ${UNSURE}`,
    },
  },
  proxyAway: (proxy, variable) =>
    `Le proxy ${proxy} (défini par ${variable ?? 'les réglages du système'}) ne répond pas.`,
  webPage: {
    title: (asked) => `Une page web a répondu à la place de ${who(asked)}.`,
    body: {
      settings: GUEST_NETWORK,
      signIn: GUEST_NETWORK,
      session: `${KEPT} Votre réseau demande peut-être de vous connecter : ouvrez une page dans votre navigateur.`,
      changePassword: `${GUEST_NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked) => `${whoAtStart(asked)} est introuvable.`,
    body: {
      settings:
        'Vérifiez l’orthographe. Si elle est correcte, connectez-vous à votre VPN et réessayez, ou choisissez « Continuer quand même ».',
      signIn: `Vérifiez votre réseau ou votre VPN. Si l’adresse est mal écrite, corrigez-la dans « ${keychain.settings} ».`,
    },
  },
  unencrypted: {
    title: (asked) => `${whoAtStart(asked)} a répondu sans chiffrement.`,
    body: 'Vérifiez le port. Si le service est sur cet ordinateur, commencez l’adresse par http://.',
  },
  untrusted: {
    title: (asked) => `Latchkey ne fait pas confiance au certificat de ${who(asked)}.`,
    body: {
      settings: NOTHING_SENT,
      signIn: NOTHING_SENT,
      session: `${KEPT} ${SHOW}`,
      changePassword: NOTHING_SENT,
    },
  },
  proxy: {
    title: 'Le proxy de votre réseau exige une authentification.',
    body: {
      settings: 'Connectez-vous au proxy, puis réessayez.',
      signIn: 'Connectez-vous au proxy, puis réessayez.',
      session: `${KEPT} Connectez-vous au proxy pour continuer.`,
      changePassword: 'Connectez-vous au proxy, puis réessayez.',
    },
  },
  proxyUnsupported: {
    title: 'Le proxy de votre réseau exige une authentification que Latchkey ne prend pas en charge.',
    body: `Ici, Latchkey peut s’authentifier auprès d’un proxy avec un mot de passe ou avec Kerberos. ${SHOW}`,
  },
  proxyKerberos: {
    title: 'Le proxy de votre réseau demande un ticket Kerberos et n’en a pas reçu.',
    body: `Ouvrez une session sur cet ordinateur avec votre compte d’entreprise ou lancez kinit, puis réessayez. Si cela ne suffit pas : ${SHOW}`,
  },
  malformed: {
    title: (asked) => `Latchkey ne comprend pas la réponse de ${who(asked)}.`,
    body: {
      settings: 'Vérifiez l’adresse, ou contactez votre administrateur.',
      signIn: 'Vérifiez l’adresse du service, ou contactez votre administrateur.',
      session: `${KEPT} Si le problème persiste, contactez votre administrateur.`,
      changePassword: `${UNSURE} Contactez votre administrateur.`,
    },
    ssoSignIn: 'Réessayez, ou contactez votre administrateur.',
  },
  wrongCurrentPassword: {
    title: 'Le mot de passe actuel est incorrect.',
    body: `${UNCHANGED} Vérifiez-le, puis réessayez.`,
  },
  passwordRefused: { title: 'Le nouveau mot de passe a été refusé.', body: 'Choisissez-en un autre.' },
  oneMoreStep: {
    title: {
      service: 'Votre service exige une étape supplémentaire.',
      identityProvider: 'Votre fournisseur d’identité exige une étape supplémentaire.',
    },
    body: {
      settings: 'Latchkey ne la prend pas en charge. Demandez à votre administrateur un autre moyen de vous connecter.',
      signIn: 'Latchkey ne la prend pas en charge. Demandez à votre administrateur un autre moyen de vous connecter.',
      session: 'Reconnectez-vous pour continuer.',
      changePassword:
        'Latchkey ne la prend pas en charge. Demandez à votre administrateur un autre moyen de vous connecter.',
    },
  },
  keychain: {
    title: `${keychain.Votre} ne répond pas.`,
    body: {
      settings: keychain.unlock,
      signIn: keychain.unlock,
      session: `${KEPT} ${keychain.unlock}`,
      changePassword: keychain.unlock,
    },
  },
  settingsUnwritable: {
    title: 'Impossible d’enregistrer vos réglages.',
    body: 'Le disque est peut-être plein ou protégé en écriture. Libérez de l’espace, puis réessayez.',
  },
  passwordOfProvider: {
    title: 'Latchkey ne peut pas changer ce mot de passe.',
    body: 'Il est géré par votre fournisseur d’identité : changez-le auprès de lui.',
  },
  providerRefusesSettings: {
    title: 'Votre fournisseur d’identité n’accepte pas les réglages de Latchkey.',
    body: {
      settings: `Votre mot de passe n’est pas en cause. ${SHOW}`,
      signIn: `Votre mot de passe n’est pas en cause. ${SHOW}`,
      session: `${KEPT} ${SHOW}`,
      changePassword: `Votre mot de passe n’est pas en cause. ${SHOW}`,
    },
  },
  ssoGone: {
    title: 'L’authentification unique n’est plus configurée.',
    body: 'Connectez-vous avec votre mot de passe, ou contactez votre administrateur.',
  },
  ssoNotSetUp: {
    title: 'L’authentification unique n’est pas configurée.',
    body: 'Utilisez votre mot de passe, ou contactez votre administrateur.',
  },
  noService: { title: 'Latchkey ne connaît pas encore votre service.', body: 'Saisissez d’abord son adresse.' },
  notConfirmed: {
    title: 'Rien n’a été enregistré.',
    body: 'Si vous ne vous attendiez pas à cette question, prévenez votre administrateur.',
  },
  justRefused: 'Vous venez de refuser.',
  inputs: {
    settings: {
      any: { title: 'Ces réglages ne sont pas valides.', body: 'Vérifiez votre saisie et réessayez.' },
      tooLong: {
        title: 'L’une des valeurs est trop longue.',
        body: 'Vérifiez qu’aucun texte n’a été collé par erreur.',
      },
    },
    signIn: {
      any: {
        title: 'Ce nom d’utilisateur ou ce mot de passe n’est pas valide.',
        body: 'Vérifiez les deux et réessayez.',
      },
      empty: {
        title: 'Il manque le nom d’utilisateur ou le mot de passe.',
        body: 'Saisissez les deux et réessayez.',
      },
      tooLong: {
        title: 'Ce nom d’utilisateur ou ce mot de passe est trop long.',
        body: 'Vérifiez qu’aucun texte n’a été collé par erreur, puis réessayez.',
      },
      inexpressible: {
        title: 'Ce nom d’utilisateur ou ce mot de passe n’est pas valide.',
        body: 'Supprimez les sauts de ligne et les tabulations, puis réessayez.',
      },
      username: {
        title: 'Ce nom d’utilisateur n’est pas valide.',
        body: 'Supprimez les deux-points, les sauts de ligne et les tabulations, puis réessayez.',
      },
      password: {
        title: 'Un mot de passe ne peut contenir ni saut de ligne ni tabulation.',
        body: 'Saisissez à nouveau votre mot de passe.',
      },
    },
    challenge: { any: { title: 'Cette saisie n’est pas utilisable.', body: 'Vérifiez votre saisie et réessayez.' } },
    changePassword: {
      any: { title: 'Ce mot de passe ne peut pas être utilisé.', body: 'Choisissez-en un autre.' },
      currentPassword: {
        title: 'Cela ne peut pas être votre mot de passe actuel.',
        body: 'Supprimez les sauts de ligne et les tabulations, puis réessayez.',
      },
      empty: { title: 'Il manque le nouveau mot de passe.', body: 'Saisissez-le deux fois et réessayez.' },
      tooLong: { title: 'Ce mot de passe est trop long.', body: 'Choisissez-en un d’au plus 4 096 caractères.' },
      inexpressible: {
        title: 'Un mot de passe ne peut contenir ni saut de ligne ni tabulation.',
        body: 'Choisissez-en un autre.',
      },
    },
  },
})
