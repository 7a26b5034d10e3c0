/** Each name is masculine, as the sentences around it require. */
import type { System } from '../system.ts'

const UNLOCK = 'S’il est verrouillé, déverrouillez-le, puis réessayez.'
const UNWRITABLE = 'il est peut-être verrouillé ou absent, ou le disque est plein'
const LOST = { explanation: 'Elle a été supprimée.', recovery: 'Connectez-vous pour ouvrir une nouvelle session.' }
const MANAGER = 'Gestionnaire d’informations d’identification'

const keychains = {
  linux: {
    settings: 'Réglages',
    name: 'trousseau',
    votre: 'votre trousseau',
    none: 'Cet environnement de bureau n’a pas de trousseau',
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    explanation: 'Elle a été supprimée, ou se trouve dans un trousseau qui n’est pas ouvert.',
    recovery: `${LOST.recovery} Ou ouvrez l’autre trousseau et vérifiez à nouveau.`,
  },
  macos: {
    settings: 'Réglages',
    name: 'trousseau',
    votre: 'votre trousseau',
    none: 'Le trousseau n’est pas disponible',
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    ...LOST,
  },
  windows: {
    settings: 'Paramètres',
    name: MANAGER,
    votre: `le ${MANAGER}`,
    none: `Le ${MANAGER} n’est pas disponible`,
    unlock: 'Réessayez. Si cela se répète, montrez les détails à votre administrateur.',
    unwritable: 'le disque est peut-être plein',
    ...LOST,
  },
}

export const frKeychain = (system: System) => {
  const words = keychains[system]
  return { ...words, Votre: words.votre.replace(/^./, (first) => first.toUpperCase()) }
}

export type FrKeychain = ReturnType<typeof frKeychain>
