/** French: the settings, and About Latchkey. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const frSettings = (format: Format): Texts['settings'] => ({
  heading: 'Réglages',
  connection: 'Cette connexion',
  unsaved: {
    title: 'Enregistrer les modifications ?',
    body: 'Votre saisie n’est pas encore enregistrée.',
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
    redirectPort: 'Port de retour',
  },
  flows: { 'password-realm': 'Dans cette fenêtre', browser: 'Dans le navigateur' },
  hints: {
    providerDomain: 'S’il diffère de l’adresse du fournisseur.',
    redirectPort: 'Seulement si votre fournisseur exige toujours la même adresse.',
  },
  toCorrect: (count) => `${format.number(count)} valeurs sont à corriger. Rien n’a été enregistré.`,
  problem: (field, problem) =>
    ({
      managed: 'C’est défini hors de Latchkey et ne peut pas être changé ici.',
      missing:
        field === 'baseAddress'
          ? 'Saisissez l’adresse de votre service.'
          : 'L’authentification unique en a besoin aussi.',
      unusable:
        field === 'providerDomain'
          ? 'Saisissez un domaine seul, comme login.example.com.'
          : 'Cette valeur n’est pas valide. Cherchez un texte collé par erreur.',
      notAnAddress: `Cette adresse n’est pas valide. Saisissez-en une comme https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Cette adresse n’est pas sûre. Utilisez celle qui commence par https://.',
      hasCredentials: 'Retirez le nom et le mot de passe : vous les saisirez en vous connectant.',
      hasQuery: 'Retirez tout à partir du ? ou du #.',
      taken: 'Une autre de vos connexions l’utilise déjà.',
      enterAgain: 'Ce secret est celui du fournisseur précédent. Saisissez celui de cette adresse.',
      managedSecret:
        'Le secret client est défini en dehors de Latchkey. Il n’est envoyé qu’à une adresse définie de la même façon.',
    })[problem],
  managed: (source, variable) =>
    ({
      policy: 'Défini par votre administrateur.',
      environment: `Défini par ${variable}.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Vous êtes connecté à ${host}. Cette session reste dans votre trousseau pour votre retour ; jusqu’à votre connexion à la nouvelle adresse, vos outils ne reçoivent pas de jeton d’accès.`,
      memory: `Vous êtes connecté à ${host}. Cette session est conservée jusqu’à ce que vous quittiez Latchkey ; jusqu’à votre connexion à la nouvelle adresse, vos outils ne reçoivent pas de jeton d’accès.`,
      unwritten: `Vous êtes connecté à ${host}, mais cette session ne peut pas être enregistrée dans votre trousseau pour le moment : vous devrez peut-être vous y reconnecter à votre retour.`,
    })[kept],
  saved: 'Réglages enregistrés.',

  sso: {
    heading: 'Authentification unique',
    setUp: 'Configurée',
    notSetUp: 'Non configurée',
    lead: 'Demandez ces valeurs à votre administrateur.',
    secretHint: 'Conservé dans votre trousseau.',
    secretStored: 'Un secret est dans votre trousseau. Saisissez-en un autre pour le remplacer.',
    secretRemoved: 'Il sera retiré à l’enregistrement.',
    removeSecret: 'Retirer',
    keepSecret: 'Garder',
  },

  desktop: {
    heading: 'Sur cet ordinateur',
    hint: 'Ces réglages s’appliquent immédiatement.',
    switches: {
      agent: 'Laisser les outils demander un jeton d’accès',
      startAtLogin: 'Lancer Latchkey à l’ouverture de session',
    },
    notSet: 'Impossible de changer cela. Réessayez, ou quittez Latchkey et relancez-le.',
  },

  about: {
    open: 'À propos de Latchkey',
    heading: 'À propos de Latchkey',
    version: (version) => `Version ${version}`,
    lead: 'Connectez-vous une fois ; vos outils restent connectés.',
    help: 'Dans un terminal, latchkey --help indique comment vos scripts et notebooks obtiennent un jeton d’accès.',
    diagnosticsHint: 'Pour votre administrateur : un fichier de diagnostic, sans mot de passe ni jeton.',
    saved: (file) => `Enregistré sous ${file}.`,
    licences: 'Licences open source',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey contient un paquet tiers.',
        other: `Latchkey contient ${format.number(count)} paquets tiers. Merci.`,
      }),
    noLicences: 'La liste ne peut pas être affichée. Relancez Latchkey pour la voir.',
  },
})
