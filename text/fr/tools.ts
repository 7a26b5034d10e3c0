/** French: how the user's own tools get access tokens. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const frTools = (format: Format): Texts['tools'] => ({
  heading: 'Utiliser dans vos outils',
  choice: 'Outil',
  other: 'Autre',
  install: 'À installer une fois, dans un terminal',
  use: 'À utiliser dans votre code',
  inTerminal: 'À exécuter dans un terminal',
  start: 'Lancer un programme avec un jeton',
  startHint:
    'Votre programme trouve le jeton d’accès dans la variable d’environnement ACCESS_TOKEN. Il n’est pas renouvelé pendant que le programme s’exécute.',
  copy: 'Copier',
  copied: 'Copié.',
  notCopied: 'Impossible de copier. Sélectionnez le texte et copiez-le.',
  asked: (lastAt, now) => `a demandé un jeton ${format.since(lastAt, now)}`,
})
