import { isoDay } from '../day.ts'
import type { DiagnosticsTexts } from '../en/diagnostics.ts'
import type { Format } from '../format.ts'
import type { System } from '../system.ts'
import { frKeychain } from './keychain.ts'

const list = (names: readonly string[]): string => new Intl.ListFormat('fr').format(names)

export const frDiagnostics = (format: Format, system: System): DiagnosticsTexts => {
  const keychain = frKeychain(system)
  const on = (at: number): string => isoDay(at) ?? 'date inconnue'
  const days = (count: number): string =>
    format.plural(count, { one: `encore ${count} jour`, other: `encore ${count} jours` })
  const ends = (at: number, daysLeft: number): string =>
    daysLeft < 0 ? `expiré le ${on(at)}` : `jusqu’au ${on(at)}, ${days(daysLeft)}`
  const sources = {
    policy: 'défini par l’administrateur',
    environment: 'défini par une variable d’environnement',
    user: 'défini par vous',
  }

  return {
    head: (at) => `Diagnostic de Latchkey, ${at}`,
    foot: (failed, warnings) => {
      const counted = [
        ...(failed > 0 ? [format.plural(failed, { one: 'un échec', other: `${failed} échecs` })] : []),
        ...(warnings > 0
          ? [format.plural(warnings, { one: 'un avertissement', other: `${warnings} avertissements` })]
          : []),
      ]
      return counted.length === 0 ? 'Aucun problème détecté.' : `${counted.join(', ')}.`
    },
    log: 'Les dernières lignes du journal :',
    noLog: 'Le journal est vide.',
    summary: {
      heading: 'À lire au support :',
      version: 'version',
      sessions: 'sessions',
      result: 'résultat',
      problem: 'premier problème',
      advice: 'à faire',
      noProblem: 'aucun',
      onlyWarning: (problem: string) => `aucun, mais un avertissement : ${problem}`,
      noAdvice: 'rien',
    },

    states: { ok: 'correct', warning: 'avertissement', failed: 'ÉCHEC', skipped: 'non effectué' },
    checks: {
      versions: 'Versions',
      sandbox: 'Bac à sable',
      settings: keychain.settings,
      proxy: 'Proxy',
      name: 'Nom',
      certificate: 'Certificat',
      service: 'Service',
      provider: 'Fournisseur d’identité',
      clock: 'Horloge',
      browser: 'Navigateur',
      keychain: keychain.name.replace(/^t/, 'T'),
      agent: 'Agent',
      gateway: 'Passerelle',
      tray: 'Zone de notification',
    },

    skipped: (check) => `Dépend de « ${check} », qui a échoué.`,
    late: (seconds) => ({
      sentence: `Aucune réponse en ${seconds} secondes.`,
      advice: 'Réessayez. Si le problème persiste, montrez ce rapport à votre administrateur.',
    }),
    broken: (cause) => ({
      sentence: `Cette vérification n’a pas pu être effectuée (${cause}).`,
      advice: 'Montrez ce rapport à votre administrateur.',
    }),

    versions: { app: (version) => `Latchkey ${version}` },

    sandbox: {
      good: 'Latchkey s’exécute avec le bac à sable de Chromium.',
      off: {
        sentence:
          'Latchkey s’exécute sans le bac à sable de Chromium, qui protège cet ordinateur des pages malveillantes.',
        advice: 'Lancez-le sous votre compte, pas en tant que root, et sans --no-sandbox.',
      },
    },

    settings: {
      policyUnusable: {
        sentence: 'Le fichier de stratégie de l’administrateur n’est pas valide.',
        advice:
          'Montrez ce rapport à votre administrateur. Tant que le fichier n’est pas corrigé, Latchkey garde les dernières valeurs lues, s’il y en a.',
      },
      good: 'Tous les réglages sont valides.',
      incomplete: (connection, missing) => ({
        sentence: `L’authentification unique de la connexion ${connection} n’est pas entièrement configurée : il manque ${list(missing)}.`,
        advice:
          'Ajoutez ce qui manque là où les autres valeurs sont définies, ou montrez ce rapport à votre administrateur.',
      }),
      orBrowser: 'Ou réglez flow sur browser : scope et clientId suffisent alors.',
      useless: (names) => ({
        sentence: `Sans authUrl, ${list(names)} ${names.length === 1 ? 'n’a' : 'n’ont'} aucun effet.`,
        advice: 'Réglez authUrl, ou montrez ce rapport à votre administrateur.',
      }),
      nothingSet: {
        sentence: 'Latchkey ne connaît pas encore votre service.',
        advice: 'Saisissez son adresse dans la fenêtre de Latchkey. Demandez-la à votre administrateur.',
      },
      problems: (count) => ({
        sentence: format.plural(count, {
          one: 'Un réglage n’est pas valide.',
          other: `${count} réglages ne sont pas valides.`,
        }),
        advice: 'Corrigez cela, ou montrez ce rapport à votre administrateur.',
      }),
      noLog: (cause) => ({
        sentence: `Tous les réglages sont valides, mais le journal ne peut pas être écrit (${cause}).`,
        advice: 'Vérifiez que vous pouvez écrire dans son dossier, puis relancez Latchkey.',
      }),
      value: (name, value, source, where) =>
        `${name} : ${value === null ? 'non défini' : (value ?? 'défini, non affiché')} (${[sources[source], ...(where ? [where] : [])].join(' : ')})`,
      variable: (name, value) => `${name} : ${value ?? 'non valide, non affichée'} (variable)`,
      path: (name, path, isMissing) => `${name} : ${path}${isMissing ? ' (absent)' : ''}`,
    },

    proxy: {
      direct: (host) => `Latchkey se connecte à ${host} sans proxy.`,
      through: (host, proxy) => `Latchkey se connecte à ${host} par le proxy ${proxy}.`,
      order: (ways) => `Ordre des essais : ${ways.join(', ')}`,
      basic: (host, proxy) =>
        `Latchkey se connecte à ${host} par le proxy ${proxy}, qui exige un nom d’utilisateur et un mot de passe. Latchkey vous les demande une fois.`,
      kerberos: (host, proxy) =>
        `${host} est accessible par le proxy ${proxy}, qui demande Kerberos. Vous avez un ticket pour lui.`,
      noTicket: (proxy, host) => ({
        sentence: `Le proxy ${proxy} demande Kerberos et vous n’avez pas de ticket pour lui.`,
        advice: `Ouvrez une session sur cet ordinateur avec votre compte d’entreprise ou lancez kinit, puis vérifiez à nouveau. Si cela ne suffit pas, demandez à votre administrateur si le proxy s’appelle bien ${host} dans Kerberos.`,
      }),
      noKerberos: (proxy) => ({
        sentence: `Le proxy ${proxy} demande Kerberos et la bibliothèque nécessaire manque sur cet ordinateur.`,
        advice: 'Demandez à votre administrateur d’installer Kerberos ici (sous Debian et Ubuntu : libgssapi-krb5-2).',
      }),
      unsupported: (proxy, schemes, host) => ({
        sentence: `Le proxy ${proxy} exige une authentification que Latchkey ne prend pas en charge : ${schemes}.`,
        advice: `Ici, Latchkey peut s’authentifier auprès d’un proxy avec un mot de passe ou avec Kerberos. Demandez à votre administrateur d’autoriser ${host} sans authentification ou avec Basic, ou d’installer un proxy local qui s’authentifie pour vous.`,
      }),
      refused: (host, proxy, status) => ({
        sentence: `Le proxy ${proxy} a refusé la connexion à ${host} (HTTP ${status}).`,
        advice: `Demandez à votre administrateur d’autoriser ${host} sur le proxy.`,
      }),
      unreached: (host, proxy, variable, cause) => ({
        sentence: `Le proxy ${proxy} (défini par ${variable ?? 'les réglages du système'}) ne répond pas : ${cause}.`,
        advice: `${variable === undefined ? 'Corrigez le proxy dans les réglages du système' : `Corrigez ou supprimez la variable ${variable}`}, ou vérifiez votre réseau ou VPN. Latchkey l’utilise pour ${host}.`,
      }),
    },

    name: {
      found: (host, addresses) => `${host} correspond à ${addresses.join(', ')}.`,
      isAddress: (host) => `${host} est une adresse IP et n’a pas besoin de DNS.`,
      leftToProxy: (host) => `Le proxy résout le nom ${host}.`,
      notFound: (host, cause) => ({
        sentence: `Le nom ${host} ne peut pas être résolu : ${cause}.`,
        advice:
          'Vérifiez l’orthographe, et votre réseau ou VPN : beaucoup de noms ne sont connus que dans le réseau d’une entreprise.',
      }),
    },

    certificate: {
      good: (host, { validTo }, daysLeft) => `Le certificat de ${host} est de confiance (${ends(validTo, daysLeft)}).`,
      endsSoon: (host, { subject, validTo }, daysLeft) => ({
        sentence: `Le certificat de ${host} est de confiance, mais expire bientôt : ${subject} (${ends(validTo, daysLeft)}).`,
        advice: 'Demandez à votre administrateur de le renouveler.',
      }),
      notNeeded: (host) => `${host} est sur cet ordinateur et n’a pas besoin de certificat.`,
      untrusted: (host, { kind, failing, cause, names }) => ({
        sentence: [
          `Le certificat de ${host} n’est pas de confiance : ${cause}.`,
          ...(failing === undefined
            ? []
            : [`Le certificat concerné appartient à ${failing.subject} et a été émis par ${failing.issuer}.`]),
          ...(kind === 'otherHost' && names !== undefined ? [`Il est valable pour ${names}.`] : []),
        ].join(' '),
        advice: {
          ended:
            'Demandez aux responsables du service de le renouveler. S’il n’a pas vraiment expiré, réglez l’horloge de cet ordinateur.',
          early: 'Réglez l’horloge de cet ordinateur.',
          otherHost: 'Vérifiez l’adresse du service.',
          unknownIssuer:
            'Si votre entreprise a sa propre autorité de certification, demandez à votre administrateur de l’ajouter au système ou aux réglages de Latchkey.',
          other: 'Montrez ce rapport à votre administrateur.',
        }[kind],
      }),
      unreached: (host, cause) => ({
        sentence: `Impossible d’établir une connexion chiffrée avec ${host} : ${cause}.`,
        advice: 'Vérifiez votre réseau, VPN ou proxy, et l’adresse.',
      }),
      link: (index, { subject, issuer, validFrom, validTo }, daysLeft) =>
        `${index} : ${subject} ; émis par ${issuer} ; valable à partir du ${on(validFrom)}, ${ends(validTo, daysLeft)}`,
    },

    browser: {
      good: (host) => `La connexion dans le navigateur ouvre une page de ${host}.`,
      waiting: (host) => `Latchkey attend que vous terminiez la connexion dans le navigateur, sur une page de ${host}.`,
      notFound: (host, cause) => ({
        sentence: `La page de connexion de ${host} est introuvable : ${cause}.`,
        advice: 'Vérifiez l’adresse du fournisseur et les réglages du client avec votre administrateur.',
      }),
      refused: (host, cause) => ({
        sentence: `${host} n’accepte pas les réglages de Latchkey : ${cause}.`,
        advice:
          'Comparez l’ID client, le secret client, le scope et l’audience avec l’enregistrement du client chez le fournisseur.',
      }),
      errorPage: (host, status, redirect) => ({
        sentence: `${host} répond à une connexion par une erreur (HTTP ${status}).`,
        advice: `Vérifiez l’ID client, et que cette adresse de redirection (si elle n’indique pas de port, avec n’importe lequel) y est enregistrée : ${redirect}`,
      }),
      guessed: (host) => ({
        sentence: `${host} n’a pas de configuration OpenID à cette adresse ; Latchkey devine donc où se trouve sa page de connexion.`,
        advice:
          'Vérifiez l’adresse du fournisseur (authUrl) : sans configuration, seules /authorize et /oauth/token en dessous fonctionnent. La déconnexion ne peut pas y révoquer le jeton d’actualisation.',
      }),
      noRefresh: (host, cause) => ({
        sentence: `${host} ne permettra sans doute pas de rester connecté : il n’offre pas de jeton d’actualisation à ce client (${cause}).`,
        advice:
          'Autorisez-y les jetons d’actualisation pour ce client. Sinon, il faudra se reconnecter dès que le jeton d’accès expire.',
      }),
      portTaken: (cause) => ({
        sentence: `La connexion dans le navigateur ne peut pas utiliser son port (${cause}).`,
        advice: 'Fermez le programme qui utilise le port ou demandez un autre redirectPort à votre administrateur.',
      }),
    },

    service: {
      good: (host, status) => `${host} répond (HTTP ${status}).`,
      unreached: (host, cause) => ({
        sentence: `${host} est injoignable : ${cause}.`,
        advice: 'Vérifiez votre réseau, VPN ou proxy, et l’adresse.',
      }),
      closed: (host, cause) => ({
        sentence: `${host} est injoignable : ${cause}.`,
        advice:
          'Rien ne répond à cette adresse et à ce port. Vérifiez-en l’orthographe, puis demandez si le service est en marche.',
      }),
      unencrypted: (host, cause) => ({
        sentence: `${host} a répondu sans chiffrement : ${cause}.`,
        advice: 'Vérifiez le port. Si le service est sur cet ordinateur, commencez l’adresse par http://.',
      }),
      ill: (host, status) => ({
        sentence: `${host} répond par une erreur (HTTP ${status}).`,
        advice: 'Réessayez plus tard. Si le problème persiste, prévenez les responsables du service.',
      }),
      redirects: (host, status) => ({
        sentence: `${host} redirige (HTTP ${status}) ; Latchkey ne suit pas les redirections.`,
        advice:
          'Vérifiez l’adresse du service : son chemin manque peut-être, ou la page de connexion d’un réseau s’interpose.',
      }),
      page: (host) => ({
        sentence: `Une page web a répondu à la place de ${host}.`,
        advice:
          'Vérifiez l’adresse du service. Si le réseau a une page de connexion, ouvrez un navigateur et connectez-vous-y ; derrière un proxy d’entreprise, contactez votre administrateur.',
      }),
      notThere: (host) => ({
        sentence: `${host} répond, mais on ne peut pas se connecter à cette adresse (HTTP 404).`,
        advice: 'Vérifiez l’adresse du service : son chemin manque peut-être.',
      }),
      tooMany: (host) => ({
        sentence: `${host} limite le nombre de requêtes (HTTP 429).`,
        advice: 'Attendez quelques minutes.',
      }),
      unasked: (host, status) => ({
        sentence: `${host} a accepté une connexion sans identifiants (HTTP ${status}).`,
        advice: 'Vérifiez l’adresse du service : votre service aurait refusé.',
      }),
    },

    clock: {
      good: (host) => `L’horloge de cet ordinateur correspond à celle de ${host}.`,
      unknown: (host) => ({
        sentence: `${host} n’a pas donné l’heure.`,
        advice: 'Comparez l’horloge de cet ordinateur à une autre.',
      }),
      wrong: (by, isAhead, host) => ({
        sentence: `L’horloge de cet ordinateur ${isAhead ? 'avance' : 'retarde'} de ${format.span(by)} sur celle de ${host}.`,
        advice: 'Laissez le système régler l’heure automatiquement.',
      }),
    },

    keychain: {
      works: `Latchkey peut enregistrer, lire et supprimer une entrée dans ${keychain.votre}.`,
      otherEntry: (name) =>
        `L’entrée « ${name} » appartient à un autre ordinateur, ou à celui-ci avant que son identifiant ne change ou que le dossier des réglages ne soit déplacé. Si aucun Latchkey n’utilise plus l’entrée, supprimez-la.`,
      locked: {
        sentence: `${keychain.Votre} est verrouillé.`,
        advice: system === 'windows' ? keychain.unlock : 'Déverrouillez-le et recommencez la vérification.',
      },
      uncreated: {
        sentence: 'Il n’y a pas encore de trousseau par défaut.',
        advice:
          'L’environnement de bureau vous demande d’en créer un quand vous vous connectez dans Latchkey. Sinon, créez-en un dans son application de mots de passe et de clés, et faites-en le trousseau par défaut.',
      },
      failing: (cause) => ({
        sentence: `${keychain.Votre} signale une erreur : ${cause}.`,
        advice:
          'Déconnectez-vous de cet ordinateur, puis reconnectez-vous. Tant que l’erreur dure, votre session Latchkey se termine quand vous quittez Latchkey.',
      }),
      absent: (cause) => ({
        sentence: `${keychain.none} : ${cause}.`,
        advice:
          'Installez et lancez-en un qui fournit le Secret Service, comme GNOME Keyring ou KWallet. Sans lui, votre session se termine quand vous quittez Latchkey.',
      }),
    },

    agent: {
      offBy: (source) => `Désactivé, ${sources[source]} : les outils n’obtiennent pas de jeton d’accès.`,
      off: `Désactivé dans ${keychain.settings} → Cet ordinateur : les outils n’obtiennent pas de jeton d’accès.`,
      good: (socket) => `L’agent écoute sur ${socket} ; vous seul pouvez l’utiliser.`,
      pipe: (file) => `Le canal nommé de l’agent est indiqué dans ${file}.`,
      notServing: (path) => ({
        sentence: `L’agent n’écoute pas sur ${path}.`,
        advice: 'Lancez Latchkey s’il n’est pas déjà lancé.',
      }),
      foreign: (path) => ({
        sentence: `${path} appartient à un autre utilisateur.`,
        advice: 'Demandez à votre administrateur de le supprimer, ou donnez un autre chemin à LATCHKEY_SOCKET.',
      }),
      open: (path, mode) => ({
        sentence: `D’autres utilisateurs peuvent utiliser ${path} (mode ${mode}).`,
        advice:
          'Quittez Latchkey, retirez les droits des autres (0700 pour le dossier, 0600 pour le socket), et relancez-le.',
      }),
      visible: (path, mode) => ({
        sentence: `L’agent fonctionne, mais d’autres utilisateurs peuvent lister son dossier ${path} (mode ${mode}).`,
        advice: 'Mettez le mode du dossier à 0700.',
      }),
      notASocket: (path) => ({
        sentence: `${path} n’est pas un socket.`,
        advice: 'Déplacez-le, ou donnez un autre chemin à LATCHKEY_SOCKET.',
      }),
      pathTooLong: (path) => ({
        sentence: `Le chemin de l’agent est trop long pour un socket : ${path}.`,
        advice: 'Donnez à LATCHKEY_SOCKET un chemin d’au plus 103 octets.',
      }),
      pathNotAbsolute: {
        sentence: 'LATCHKEY_SOCKET n’est pas un chemin absolu.',
        advice: 'Donnez-lui un chemin absolu.',
      },
    },

    gateway: {
      good: (address) => `Les outils peuvent joindre la passerelle à l’adresse ${address}.`,
      notRunning: (address) => ({
        sentence: `La passerelle n’est pas active à l’adresse ${address}.`,
        advice: 'Démarrez Latchkey s’il n’est pas ouvert.',
      }),
      portTaken: (port) => ({
        sentence: `Un autre programme utilise le port de la passerelle, ${port}.`,
        advice:
          'Fermez ce programme ou choisissez un autre port de la passerelle dans Latchkey. Si vous ne connaissez pas ce programme, créez un nouveau mot de passe de passerelle : vos outils lui ont peut-être envoyé l’ancien.',
      }),
      noPassword: (address) => ({
        sentence: `La passerelle à l’adresse ${address} n’a pas encore de mot de passe et refuse donc tous les outils.`,
        advice: 'Exécutez latchkey gateway --new-password et saisissez le mot de passe dans votre outil.',
      }),
      proxied: (address, proxy) => ({
        sentence: `Les outils envoient les requêtes pour ${address} à un proxy (${proxy}).`,
        advice: 'Ajoutez 127.0.0.1 à NO_PROXY ou aux exceptions du proxy du système.',
      }),
    },

    tray: {
      present: 'L’environnement de bureau affiche les icônes de notification.',
      absent: {
        sentence: 'L’environnement de bureau n’a pas de zone de notification.',
        advice:
          'Latchkey fonctionne sans elle. Pour une icône, activez l’extension AppIndicator de votre environnement de bureau.',
      },
      unknown: {
        sentence: 'L’environnement de bureau ne dit pas s’il a une zone de notification.',
        advice: 'Si vous voyez l’icône de Latchkey, tout va bien.',
      },
    },
  }
}
