/** French: how the user's own tools get access tokens. */

import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const frTools = (format: Format): Texts['tools'] => ({
  heading: 'Utiliser dans vos outils',
  yours: 'Vos outils',
  another: 'Utiliser dans un autre outil',
  begin: 'Commencer avec une ligne',
  tiles: { python: 'notebook ou script', r: 'avec httr2', shell: 'curl et autres', file: 'avec un fichier' },
  choice: 'Outil',
  other: 'Autre',
  file: 'Excel et BI',
  install: 'À installer une fois, dans un terminal',
  installInNotebook: 'Ou à installer dans un notebook',
  use: 'À utiliser dans votre code',
  replace: 'remplacez le chemin par celui de vos données',
  fileHint:
    'Excel, Power BI et Tableau ne peuvent pas demander de jeton à Latchkey. Laissez ce script écrire un fichier, puis chargez ce fichier.',
  inTerminal: 'À exécuter dans un terminal',
  start: 'Lancer un programme avec un jeton',
  startHint:
    'Votre programme trouve le jeton d’accès dans la variable d’environnement ACCESS_TOKEN. Il n’est pas renouvelé pendant que le programme s’exécute.',
  copy: 'Copier',
  copied: 'Copié.',
  notCopied: 'Impossible de copier. Sélectionnez le texte et copiez-le.',
  asked: (lastAt, now) => `a demandé un jeton ${format.since(lastAt, now)}`,
})
