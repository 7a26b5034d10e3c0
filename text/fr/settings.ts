import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { FrKeychain } from './keychain.ts'

export const frSettings = (format: Format, keychain: FrKeychain): Texts['settings'] => ({
  heading: keychain.settings,
  unsaved: {
    title: 'Enregistrer les modifications ?',
    body: 'Vos modifications ne sont pas encore enregistrées.',
    save: 'Enregistrer les modifications',
    discard: 'Abandonner',
    keep: 'Continuer la saisie',
  },
  labels: {
    baseAddress: 'Adresse du service',
    displayName: 'Nom dans cette fenêtre',
    authUrl: 'Adresse du fournisseur',
    flow: 'Mode de connexion',
    providerDomain: 'Domaine du fournisseur',
    realm: 'Realm',
    scope: 'Scope',
    audience: 'Audience',
    clientId: 'ID client',
    clientSecret: 'Secret client',
    redirectPort: 'Port de redirection',
    resource: 'Ressource (resource)',
    prompt: 'Question (prompt)',
    dataAddress: 'Adresse des données',
    gateway: 'Passerelle',
    gatewayPort: 'Port de la passerelle',
    gatewayMethods: 'Requêtes de la passerelle',
  },
  data: 'Données et passerelle',
  gatewayMethods: { read: 'Lecture seule', all: 'Toutes' },
  flows: { 'password-realm': 'Dans cette fenêtre', browser: 'Dans le navigateur' },
  hints: {
    providerDomain: 'Seulement s’il diffère de l’adresse du fournisseur.',
    redirectPort: 'Seulement si votre fournisseur exige une adresse de redirection fixe.',
    resource: 'Seulement si votre fournisseur exige le paramètre resource.',
    prompt: 'Seulement si votre fournisseur exige une question précise, par exemple consent.',
    dataAddress: 'Seulement si vos données ne sont pas à l’adresse du service.',
    gatewayPort: 'Seulement si votre administrateur vous a donné un port fixe.',
  },
  toCorrect: (count) => `Corrigez les ${format.number(count)} valeurs signalées, puis enregistrez à nouveau.`,
  problem: (field, problem) =>
    ({
      managed: 'Votre administrateur ou l’environnement de cet ordinateur définit cette valeur.',
      missing:
        field === 'baseAddress'
          ? 'Saisissez l’adresse de votre service.'
          : 'L’authentification unique nécessite aussi cette valeur.',
      unusable:
        field === 'providerDomain'
          ? 'Saisissez seulement un domaine, comme login.example.com.'
          : 'Cette valeur n’est pas utilisable. Vérifiez que vous avez collé le bon texte.',
      notAnAddress: `Cette adresse n’est pas valide. Saisissez-en une comme https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Cette adresse n’est pas sûre. Utilisez celle qui commence par https://.',
      hasCredentials: 'Retirez le nom d’utilisateur et le mot de passe : vous les saisirez en vous connectant.',
      hasQuery: 'Retirez tout à partir du ? ou du #.',
      taken: 'Une autre connexion l’utilise déjà.',
      enterAgain: 'Le secret enregistré est celui du fournisseur précédent. Saisissez celui de cette adresse.',
      managedSecret:
        'Le secret client est défini en dehors de Latchkey. Il n’est envoyé qu’à une adresse définie elle aussi en dehors de Latchkey.',
    })[problem],
  managed: (source, variable, place) =>
    ({
      policy:
        place === undefined
          ? 'Défini par votre administrateur.'
          : `Défini par votre administrateur (${{ registry: 'registre', preferences: 'profil de configuration', file: 'fichier de stratégie' }[place]}).`,
      environment: `Défini par ${variable}.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Vous êtes connecté à ${host}. Cette session reste dans ${keychain.votre} et reprendra si vous revenez à cette adresse. Vos outils n’obtiendront pas de jeton d’accès tant que vous ne serez pas connecté à la nouvelle adresse.`,
      memory: `Vous êtes connecté à ${host}. Cette session est conservée jusqu’à ce que vous quittiez Latchkey. Vos outils n’obtiendront pas de jeton d’accès tant que vous ne serez pas connecté à la nouvelle adresse.`,
      unsaved: `Vous êtes connecté à ${host}, mais cette session ne peut pas être enregistrée dans ${keychain.votre} pour le moment. Vous devrez peut-être vous reconnecter si vous revenez à cette adresse.`,
    })[kept],
  saved: `${keychain.settings} enregistrés.`,

  sso: {
    heading: 'Authentification unique',
    setUp: 'Configurée',
    notSetUp: 'Non configurée',
    lead: 'Demandez ces valeurs à votre administrateur.',
    secretHint: `Enregistré dans ${keychain.votre}.`,
    secretStored: `Un secret est enregistré dans ${keychain.votre}. Saisissez-en un autre pour le remplacer.`,
    secretRemoved: 'Le secret sera supprimé à l’enregistrement.',
    removeSecret: 'Supprimer le secret',
    keepSecret: 'Conserver le secret',
  },

  desktop: {
    heading: 'Cet ordinateur',
    hint: 'Ces réglages s’appliquent immédiatement.',
    switches: {
      agent: 'Autoriser les outils à demander des jetons d’accès',
      startAtLogin: 'Lancer Latchkey à l’ouverture de session',
    },
    notSet: 'Ce réglage n’a pas pu être modifié. Réessayez, ou quittez Latchkey et relancez-le.',
  },

  about: {
    heading: 'Aide et à propos',
    version: (version) => `Latchkey ${version}`,
    help: 'Après la connexion, la page d’accueil montre le code pour vos scripts et notebooks. Dans un terminal, latchkey --help indique ce que la commande permet de faire.',
    diagnosticsHint: 'Pour votre administrateur : un fichier de diagnostic, sans mot de passe ni jeton.',
    saved: (folder) => `Enregistré dans ${folder}.`,
    licences: 'Licences open source',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey contient un paquet tiers.',
        other: `Latchkey contient ${format.number(count)} paquets tiers.`,
      }),
    noLicences: 'La liste ne peut pas être affichée. Relancez Latchkey pour la voir.',
  },
})
