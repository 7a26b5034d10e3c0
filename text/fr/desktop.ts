import type { Texts } from '../en/index.ts'
import type { FrKeychain } from './keychain.ts'
import { frStartProblem } from './start-problem.ts'

export const frDesktop = (keychain: FrKeychain): Texts['desktop'] => ({
  account: (name, host) => (host === undefined ? name : name === '' ? host : `${name} · ${host}`),
  copyToken: 'Copier le jeton d’accès',
  startAtLogin: 'Lancer à l’ouverture de session',
  settings: `${keychain.settings}…`,
  menu: {
    about: 'À propos de Latchkey',
    services: 'Services',
    hide: 'Masquer Latchkey',
    hideOthers: 'Masquer les autres',
    showAll: 'Tout afficher',
    edit: 'Édition',
    undo: 'Annuler',
    redo: 'Rétablir',
    cut: 'Couper',
    copy: 'Copier',
    paste: 'Coller',
    selectAll: 'Tout sélectionner',
    view: 'Présentation',
    actualSize: 'Taille réelle',
    zoomIn: 'Zoom avant',
    zoomOut: 'Zoom arrière',
    window: 'Fenêtre',
    close: 'Fermer la fenêtre',
    minimize: 'Placer dans le Dock',
    zoom: 'Réduire/agrandir',
    front: 'Tout ramener au premier plan',
  },
  folderInUse: (host, folder) => ({
    title: `Latchkey est déjà lancé sur ${host}.`,
    body: `Il utilise le même dossier de données, ${folder}. Quittez d’abord Latchkey sur ${host}. S’il n’y est plus lancé, choisissez « Démarrer ici ».`,
    startAnyway: 'Démarrer ici',
    quit: 'Quitter',
  }),
  runsOnDisplay: (display) => ({
    title: 'Latchkey est déjà lancé sur un autre écran.',
    body: `Il est lancé sur ${display}. Utilisez-le sur cet écran, ou quittez-le là-bas puis relancez-le ici.`,
  }),
  notStarted: 'Impossible de lancer Latchkey',
  startProblem: frStartProblem,
  diagnostics: {
    title: 'Enregistrer un diagnostic',
    fileName: 'Diagnostic Latchkey.txt',
    notSaved: (file, cause) => ({
      title: 'Le fichier n’a pas pu être enregistré.',
      body: `Latchkey n’a pas pu écrire ${file} (${cause}). Essayez un autre dossier.`,
    }),
  },
  destination: {
    change: {
      message: 'Changer l’adresse à laquelle Latchkey envoie votre mot de passe ?',
      from: (address) => `Ancienne adresse : ${address}`,
      to: (address) => `Nouvelle adresse : ${address}`,
      confirm: 'Changer',
    },
    add: {
      message: 'Ajouter une connexion ?',
      existing: (address) => `Connexion existante : ${address}`,
      added: (address) => `Nouvelle connexion : ${address}`,
      confirm: 'Ajouter',
    },
    data: {
      message: 'Changer l’adresse à laquelle Latchkey envoie votre jeton d’accès ?',
      confirm: 'Changer',
      advice:
        'Vos outils envoient votre jeton d’accès à cette adresse. Ne continuez que si votre administrateur vous a donné cette adresse.',
    },
    fields: {
      baseAddress: 'Adresse du service',
      authUrl: 'Fournisseur d’identité',
      dataAddress: 'Adresse des données',
    },
    none: 'aucune',
    advice:
      'Quand vous vous connectez, votre nom d’utilisateur et votre mot de passe sont envoyés à la nouvelle adresse. Ne continuez que si votre administrateur vous a donné cette adresse.',
    cancel: 'Annuler',
  },
  location: (file, { key, line, column }) => {
    if (line === undefined) return key === undefined ? file : `${key} (${file})`
    return key === undefined ? `${file} (ligne ${line}, colonne ${column})` : `${key} (${file}, ligne ${line})`
  },
  unknownSetting: (where) => `${where} n’est pas un réglage de Latchkey et a été ignoré.`,
  losesClientSecret: `${keychain.none} : le secret client reste en mémoire et sera perdu quand vous quitterez Latchkey.`,
  noSandbox:
    'Latchkey fonctionne sans le bac à sable de Chromium, qui protège cet ordinateur des pages malveillantes. Lancez-le avec votre compte, pas en tant que root, et sans --no-sandbox.',
  update: {
    ready: (version) => `Latchkey ${version} est prêt. Le redémarrage prend un instant et vous restez connecté.`,
    restart: 'Redémarrer Latchkey',
    restarting: 'Redémarrage…',
  },
})
