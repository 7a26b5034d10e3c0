/** French: what can be set, and about Latchkey. */
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
    providerDomain: 'Si ce n’est pas celui de l’adresse du fournisseur.',
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
          : 'C’est inutilisable. Cherchez un texte collé par erreur.',
      notAnAddress: `Ce n’est pas une adresse. Saisissez-en une comme https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Cette adresse n’est pas sûre. Utilisez celle qui commence par https://.',
      hasCredentials: 'Retirez le nom et le mot de passe : vous les saisirez en vous connectant.',
      hasQuery: 'Retirez tout à partir du ? ou du #.',
      taken: 'Une autre de vos connexions l’a déjà.',
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
      unwritten: `Vous êtes connecté à ${host}, et votre trousseau n’accepte pas cette session en ce moment : vous devrez peut-être vous y reconnecter à votre retour.`,
    })[kept],
  saved: 'Réglages enregistrés.',

  sso: {
    heading: 'Authentification unique',
    setUp: 'Configurée',
    notSetUp: 'Non configurée',
    lead: 'Votre administrateur connaît ces valeurs.',
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
    lead: 'Vous connecte une fois, et garde vos outils connectés.',
    help: 'Dans un terminal, latchkey --help indique comment vos scripts et notebooks obtiennent un jeton d’accès.',
    diagnosticsHint:
      'Pour votre administrateur : un texte sur Latchkey sur cet ordinateur, sans mot de passe ni jeton.',
    saved: (file) => `Enregistré sous ${file}.`,
    licences: 'Ce qu’il contient',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey contient un paquet d’autrui.',
        other: `Latchkey contient ${format.number(count)} paquets d’autrui. Merci.`,
      }),
    noLicences: 'La liste ne peut pas être affichée. Relancez Latchkey, elle devrait y être.',
  },
})
