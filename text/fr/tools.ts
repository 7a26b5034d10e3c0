import type { Texts } from '../en/index.ts'

export const frTools: Texts['tools'] = {
  heading: 'Utiliser dans vos outils',
  yours: 'Vos outils',
  another: 'Utiliser dans un autre outil',
  tiles: { python: 'notebook ou script', r: 'avec httr2', shell: 'curl et autres', gateway: 'adresse et mot de passe' },
  choice: 'Outil',
  other: 'Autre',
  install: 'À installer une fois, dans un terminal',
  installInNotebook: 'Ou à installer dans un notebook',
  inVenv: (python) => `Exécutez ensuite vos scripts avec ${python}.`,
  use: 'À utiliser dans votre code',
  replace: 'remplacez le chemin par celui de vos données',
  inTerminal: 'À exécuter dans un terminal',
  inTerminalWithPath: 'À exécuter dans un terminal, avec le chemin de vos données',
  start: 'Lancer un programme avec un jeton',
  startHint:
    'Votre programme trouve le jeton d’accès dans la variable d’environnement ACCESS_TOKEN. Il n’est pas renouvelé pendant que le programme s’exécute.',
  ai: 'Clients d’IA',
  aiHint:
    'Affiche ce qu’il faut ajouter à .mcp.json pour Claude Code ; avec cursor, à ~/.cursor/mcp.json ; avec vscode, à .vscode/mcp.json. Le client d’IA atteint alors le serveur MCP de votre plateforme de données, sans jamais voir votre jeton.',
  gateway: {
    name: 'Excel et BI',
    label: 'Passerelle pour Excel et BI',
    lead: 'Excel, Power BI, Tableau et d’autres prennent une adresse, un nom d’utilisateur et un mot de passe. La passerelle, sur cet ordinateur seulement, leur donne vos données ; ils ne voient jamais votre jeton.',
    signedOut: 'Ces programmes recevront de nouveau des données quand vous serez connecté.',
    address: 'Adresse',
    copyPassword: 'Copier le mot de passe',
    newPassword: 'Nouveau mot de passe',
    passwordCopied: 'Copié. Collez-le dans les cinq minutes.',
    passwordHint: 'Latchkey ne conserve pas le mot de passe. Si vous le perdez, créez-en un nouveau.',
    replace: {
      title: 'Créer un nouveau mot de passe ?',
      body: 'Les programmes qui ont l’ancien ne recevront plus de données tant que vous n’y aurez pas saisi le nouveau.',
      keep: 'Garder l’ancien',
      confirm: 'Créer et copier',
    },
    steps: [
      'Dans votre programme, obtenez des données à partir du web ou d’OData : saisissez l’adresse, suivie du chemin de vos données.',
      'Quand il demande comment se connecter, choisissez « De base » ou « Basic », puis saisissez le nom d’utilisateur et le mot de passe.',
      'Actualisez comme d’habitude : cela fonctionne dès que vous êtes connecté dans Latchkey.',
    ],
    portTaken: (port, by) => ({
      title: `Le port ${port} est occupé`,
      body:
        by === undefined
          ? 'Un autre programme l’utilise. Fermez-le, ou choisissez un autre port.'
          : `${by} l’utilise. Fermez ce programme, ou choisissez un autre port.`,
    }),
    failed: (port, cause) => ({
      title: 'La passerelle ne peut pas démarrer',
      body: `Le port ${port} n’est pas utilisable (${cause}). Choisissez un autre port.`,
    }),
    otherPort: 'Choisir un autre port',
  },
  copy: 'Copier',
  copied: 'Copié.',
  notCopied: 'Impossible de copier. Sélectionnez le texte et copiez-le.',
}
