import type { Texts } from '../en/index.ts'
import { createFailureSentences } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { System } from '../system.ts'
import { frAgent } from './agent.ts'
import { frChallenge } from './challenge.ts'
import { frCheckComputer } from './check-computer.ts'
import { frConnections } from './connections.ts'
import { frDefect } from './defects.ts'
import { frDesktop } from './desktop.ts'
import { frDetails } from './details.ts'
import { frFailures } from './failures.ts'
import { frKeychain } from './keychain.ts'
import { frProxy } from './proxy.ts'
import { frSessionEnd } from './session-end.ts'
import { frSettings } from './settings.ts'
import { frTools } from './tools.ts'

export const fr = (format: Format, system: System): Texts => {
  const keychain = frKeychain(system)
  const until = (at: number, now: number): string => `jusqu’à ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'moins d’une minute' : `encore ${format.left(ms)}`)
  /** What the service is called after the prepositions “sur”, “avec” and “à”. */
  const service = (host: string | undefined): string => host ?? 'votre service'
  const who = ({ issuer, host }: ServerRole): string =>
    host ?? (issuer === 'identityProvider' ? 'votre fournisseur d’identité' : 'votre service')

  const silent = {
    heading: `${keychain.Votre} ne répond pas`,
    lead: 'Latchkey en a besoin pour rétablir votre session.',
    body: 'Latchkey continue d’essayer et reprendra automatiquement. Ou reconnectez-vous.',
  }

  return {
    language: 'fr',
    format,
    system,
    app: 'Latchkey',

    fields: {
      serviceAddress: 'Adresse du service',
      username: 'Nom d’utilisateur',
      password: 'Mot de passe',
      code: 'Code',
      recoveryCode: 'Code de récupération',
      currentPassword: 'Mot de passe actuel',
      newPassword: 'Nouveau mot de passe',
      repeatNewPassword: 'Répétez le nouveau mot de passe',
    },
    fieldErrors: {
      usernameMissing: 'Saisissez votre nom d’utilisateur.',
      usernameColon: 'Un nom d’utilisateur ne peut pas contenir de deux-points.',
      passwordMissing: 'Saisissez votre mot de passe.',
      codeMissing: 'Saisissez le code.',
      recoveryCodeMissing: 'Saisissez un code de récupération.',
      currentPasswordMissing: 'Saisissez votre mot de passe actuel.',
      currentPasswordWrong: 'Le mot de passe actuel est incorrect.',
      newPasswordMissing: 'Saisissez un nouveau mot de passe.',
      repetitionMissing: 'Saisissez encore une fois le nouveau mot de passe.',
      repetitionDiffers: 'Les mots de passe ne correspondent pas.',
    },
    browserPage: {
      signedIn: {
        title: 'Vous êtes connecté.',
        body: 'Vous pouvez fermer cette page. Latchkey continue automatiquement.',
      },
      declined: {
        title: 'Vous n’avez pas été connecté.',
        body: 'La connexion a été refusée. Latchkey vous dit quoi faire.',
      },
      failed: { title: 'La connexion a échoué.', body: 'Revenez à Latchkey : il vous dit pourquoi, et quoi faire.' },
    },
    buttons: {
      connect: 'Continuer',
      connecting: 'Un instant…',
      continueInBrowser: 'Continuer dans le navigateur',
      continueAnyway: 'Continuer quand même',
      signIn: 'Se connecter',
      signingIn: 'Connexion…',
      continue: 'Continuer',
      continuing: 'Vérification…',
      cancel: 'Annuler',
      lookAgain: 'Vérifier à nouveau',
      lookingAgain: 'Vérification…',
      signOut: 'Se déconnecter',
      refreshNow: 'Renouveler',
      refreshing: 'Renouvellement…',
      changePassword: 'Changer le mot de passe',
      changingPassword: 'Changement…',
      copyToken: 'Copier le jeton d’accès',
      save: 'Enregistrer',
      saving: 'Enregistrement…',
      saveDiagnostics: 'Enregistrer un diagnostic',
      showInFolder: 'Afficher dans le dossier',
      settings: keychain.settings,
      showPassword: 'Afficher le mot de passe',
      hidePassword: 'Masquer le mot de passe',
      showPasswords: 'Afficher les mots de passe',
      hidePasswords: 'Masquer les mots de passe',
      back: 'Retour',
    },

    connection: {
      heading: 'Connexion à votre plateforme de données',
      lead: 'Demandez l’adresse à votre administrateur.',
    },

    signIn: {
      heading: 'Se connecter',
      leadAgain: 'Connectez-vous pour que vos outils continuent.',
      choice: 'Comment se connecter',
      methods: {
        password: 'Mot de passe',
        passwordRealm: 'Authentification unique',
        browser: 'Navigateur',
      },
      providerHint: 'Utilisez le nom et le mot de passe de votre compte d’entreprise.',
      capsLock: 'Le verrouillage des majuscules est actif.',
      cancelled: 'Connexion annulée.',
      incomplete: (names) => ({
        title: 'L’authentification unique n’est pas entièrement configurée',
        body: `Il manque : ${names.join(', ')}. Montrez cela à votre administrateur.`,
      }),
      withPassword: 'Se connecter avec un mot de passe',
      startAtLogin: 'Lancer Latchkey à l’ouverture de session',
      revocation: (revocation, host) =>
        ({
          none: undefined,
          done: `Vous êtes déconnecté, ici et sur ${service(host)}.`,
          refused: `Vous êtes déconnecté ici, mais ${service(host)} a refusé de terminer la session. Prévenez votre administrateur.`,
          pending: `Vous êtes déconnecté ici. Latchkey continue d’essayer de terminer la session sur ${service(host)}.`,
          notPossible:
            'Vous êtes déconnecté. Votre fournisseur d’identité ne peut pas révoquer son jeton ; Latchkey l’a donc supprimé ici, et il expirera de lui-même.',
        })[revocation],
      handedOutUntil: (at, now) => `Les outils qui ont déjà un jeton d’accès peuvent l’utiliser ${until(at, now)}.`,
    },

    challenge: frChallenge,

    stillWaiting: (asked) => `En attente de ${who(asked)}…`,
    tryAgainNow: 'Vous pouvez réessayer maintenant.',
    restoring: {
      heading: 'Un instant',
      lead: 'Votre session est en cours de rétablissement…',
      slow: 'C’est plus long que d’habitude.',
      network: 'Vérifiez votre réseau ou votre VPN.',
    },
    sessionUnread: {
      // Nobody can unlock Credential Manager, so no text on Windows says to unlock it.
      locked:
        system === 'windows'
          ? silent
          : {
              heading: `${keychain.Votre} est verrouillé`,
              lead: 'Latchkey en a besoin pour rétablir votre session.',
              body: 'Déverrouillez-le et Latchkey continuera automatiquement. Ou reconnectez-vous.',
            },
      unavailable: silent,
      missing: {
        heading: `Votre session n’est pas dans ${keychain.votre}`,
        lead: keychain.explanation,
        body: keychain.recovery,
      },
    },
    lookedAgain: `Votre session n’est toujours pas dans ${keychain.votre}.`,

    unknownVersion: {
      heading: 'Enregistrée par une autre version de Latchkey',
      lead: 'Cette version ne peut pas lire votre session.',
      body: 'Mettez Latchkey à jour pour la retrouver. Ou connectez-vous en attendant : cette session se terminera quand vous quitterez Latchkey, et celle qui est enregistrée restera telle quelle.',
    },

    session: {
      menu: (name) => (name === '' ? 'Votre compte : menu' : `${name} : menu`),
      connected: 'Vos outils sont connectés',
      ready: 'Prêt pour vos outils',
      access: (at, now) => `Vos outils ont accès jusqu’à ${format.moment(at, now)}`,
      endsIn: (ms) =>
        `${ms < 60_000 ? 'Il reste moins d’une minute' : `Il reste ${format.left(ms)}`}. Reconnectez-vous ensuite : votre fournisseur d’identité ne permet pas à Latchkey de renouveler la session.`,
      tokenUntil: (at, now) => `Vos outils ont un jeton jusqu’à ${format.moment(at, now)}`,
      noToken: 'Vos outils ne peuvent pas obtenir de jeton pour le moment',
      retryIn: (ms) => `nouvel essai dans ${format.wait(ms)}`,
      retrying: 'nouvel essai en cours',
      outage: (tools, retry) => `${tools} ; ${retry}.`,
      retryNow: 'Réessayer',
      endingTitle: 'Votre session ne peut pas être renouvelée',
      endingBody: 'Connectez-vous pour éviter une interruption.',
      shortLived:
        'Les jetons de votre service expirent en quelques secondes : vos outils devront peut-être en attendre un nouveau.',
      refreshing: 'Renouvellement…',
      refreshed: 'Renouvelé.',
      stillNotRefreshed: 'Renouvellement impossible. Latchkey continue d’essayer.',
      copied: 'Copié. Effacé du presse-papiers après 1 minute.',
      notCopied: 'Rien n’a été copié : il n’y a aucun jeton d’accès pour le moment.',
      signingOut: {
        title: 'Se déconnecter ?',
        body: (count) =>
          format.plural(count, {
            one: 'Un outil utilise votre session, ou l’a utilisée ces dernières minutes. Il n’obtiendra plus de jeton après votre déconnexion.',
            other: `${format.number(count)} outils utilisent votre session, ou l’ont utilisée ces dernières minutes. Ils n’obtiendront plus de jeton après votre déconnexion.`,
          }),
        stay: 'Rester connecté',
        signOut: 'Se déconnecter quand même',
      },
      kept: {
        keychain: 'Vous restez connecté après un redémarrage.',
        memory: `${keychain.none} : vous restez connecté jusqu’à ce que vous quittiez Latchkey.`,
      },
    },

    notices: {
      count: (count) => format.plural(count, { one: '1 avis', other: `${format.number(count)} avis` }),
      show: 'Montrez cela à votre administrateur.',
    },

    agent: frAgent(format, keychain),
    tools: frTools,
    settings: frSettings(format, keychain),
    defect: frDefect,

    changePassword: {
      heading: 'Changer le mot de passe',
      lead: 'Vos outils restent connectés.',
      changed: 'Mot de passe changé.',
      advice: 'Plusieurs mots inhabituels forment un mot de passe solide.',
      strength: ({ level, hint }) => {
        const word = ['Très faible', 'Faible', 'Moyen', 'Bon', 'Fort'][level]
        if (level > 2) return `${word}.`
        const because = {
          common: 'trop proche d’un mot de passe courant',
          word: 'un seul mot est facile à deviner',
          name: 'les noms sont faciles à deviner',
          pattern: 'les suites et les répétitions sont faciles à deviner',
          date: 'les dates sont faciles à deviner',
          short: 'un mot de plus aiderait',
        }[hint]
        return `${word} : ${because}.`
      },
    },

    failure: createFailureSentences(frFailures(format, keychain)),
    unexpected: {
      title: 'Une erreur s’est produite dans Latchkey.',
      body: 'Réessayez. Si le problème persiste, quittez Latchkey et relancez-le.',
    },
    says: { service: 'Message du service :', identityProvider: 'Message de votre fournisseur d’identité :' },

    details: frDetails(format),

    state: {
      notConfigured: 'Non configuré',
      restoring: 'Rétablissement de votre session',
      sessionUnread: {
        locked: system === 'windows' ? `${keychain.Votre} ne répond pas` : `${keychain.Votre} est verrouillé`,
        unavailable: `${keychain.Votre} ne répond pas`,
        missing: `Votre session n’est pas dans ${keychain.votre}`,
      },
      unknownVersion: 'Session enregistrée par une autre version',
      signedOut: 'Déconnecté',
      waiting: (tools) => `En attente de votre connexion : ${format.few(tools, (count) => `${count} de plus`)}`,
      signingIn: 'Connexion en cours',
      signedIn: (name, host) =>
        name === ''
          ? `Connecté à ${service(host)}`
          : host === undefined
            ? `Connecté : ${name}`
            : `Connecté : ${name} · ${host}`,
      refreshing: 'Renouvellement',
      unreachable: (asked) => `Impossible de joindre ${who(asked)}`,
      refreshFailing: (asked) => `Pas encore de nouveau jeton d’accès de ${who(asked)}`,
      sessionKept: 'session conservée',
      ending: 'Votre session ne peut pas être renouvelée. Reconnectez-vous',
      expired: 'Votre session est terminée. Reconnectez-vous',
      noToken: 'Vos outils ne peuvent pas obtenir de jeton',
      unsaved: 'Impossible d’enregistrer votre session',
    },

    settingsProblem: ({ where, problem }) =>
      ({
        unusable: `La valeur de ${where} n’est pas valide et a été ignorée.`,
        strictest: `La valeur de ${where} n’est pas valide. Tant qu’elle n’est pas corrigée, la valeur la plus stricte s’applique.`,
        closed: `Tant que ${where} n’est pas corrigé, les outils ne reçoivent pas de jetons, les clients d’IA pas de données, la passerelle est désactivée et aucune connexion ne peut être ajoutée.`,
        missing: `${where} n’existe pas sur cet ordinateur.`,
        unreadable: `${where} est illisible et a été ignoré.`,
        unsafe: `${where} a été ignoré, car d’autres utilisateurs que l’administrateur peuvent le modifier.`,
        notPrivate: `${where} a été ignoré, car un autre utilisateur a pu le modifier. Vérifiez vos réglages.`,
        damaged: `${where} est endommagé et a été ignoré.`,
        taken: `${where} a l’adresse d’une autre connexion et a été ignoré.`,
        notAllowed: `${where} a été ignoré, car les connexions personnelles ne sont pas autorisées ici. La session de cette connexion est conservée.`,
        managedSecret: `${where} a été ignoré : le secret client est défini en dehors de Latchkey et n’est envoyé qu’à une adresse de fournisseur définie elle aussi en dehors de Latchkey.`,
      })[problem],

    proxy: frProxy(keychain),
    sessionEnd: frSessionEnd(format, keychain),
    check: frCheckComputer(format),
    connections: frConnections,
    desktop: frDesktop(keychain),
    tray: {
      tooltip: (line) => `Latchkey : ${line}`,
      timeLeft: (ms) => `Jeton d’accès : ${left(ms)}`,
      timeLeftOver: (ms) => `Jeton d’accès : encore ${format.left(ms)} environ`,
      show: 'Afficher Latchkey',
      signIn: 'Se connecter…',
      help: 'Aide',
      refreshNow: 'Renouveler',
      signOut: 'Se déconnecter',
      quit: 'Quitter Latchkey',
      noTray: {
        title: 'Latchkey fonctionne toujours.',
        body: 'Cet environnement de bureau n’a pas de zone de notification. Relancez Latchkey pour ouvrir sa fenêtre.',
      },
    },

    notifications: {
      ending: (host, at, now) => ({
        title: 'Reconnectez-vous',
        body: `Votre session sur ${service(host)} ne peut pas être renouvelée. Vos outils continuent de fonctionner ${until(at, now)}.`,
      }),
      aboutToEnd: (host, at, now) => ({
        title: 'Votre session va se terminer',
        body: `Vos outils ont accès à ${service(host)} ${until(at, now)}. Reconnectez-vous pour éviter une interruption.`,
      }),
      ended: (host) => ({
        title: 'Reconnectez-vous',
        body: `Votre session sur ${service(host)} est terminée. Vos outils n’obtiendront pas de jeton tant que vous ne serez pas reconnecté.`,
      }),
      waiting: (tool, host) => ({
        title: `${tool} attend que vous vous connectiez`,
        body: `Connectez-vous à ${service(host)} : il reprendra aussitôt.`,
      }),
      asked: (tool, host) => ({
        title: `${tool} a besoin que vous vous connectiez`,
        body: `L’outil n’a pas obtenu de jeton, car vous n’êtes pas connecté à ${service(host)}. Connectez-vous, puis relancez-le.`,
      }),
      unsaved: {
        title: 'Impossible d’enregistrer votre session',
        body: `L’enregistrement dans ${keychain.votre} a échoué : ${keychain.unwritable}. Vous restez connecté, et Latchkey réessaie. Si vous quittez maintenant, vous devrez peut-être vous reconnecter.`,
      },
    },
  }
}
