/** French: what each operating system calls its store for secrets. Each name is masculine. */
import type { System } from '../system.ts'

const LOST = { explanation: 'Elle a été supprimée.', recovery: 'Connectez-vous pour ouvrir une nouvelle session.' }
const MANAGER = 'Gestionnaire d’informations d’identification'

const keychains = {
  linux: {
    name: 'trousseau',
    votre: 'votre trousseau',
    none: 'Ce bureau n’a pas de trousseau',
    /** Possible reasons why a session isn't in the keychain. */
    explanation: 'Elle a été supprimée, ou se trouve dans un trousseau qui n’est pas ouvert.',
    recovery: `${LOST.recovery} Ou ouvrez l’autre trousseau et vérifiez à nouveau.`,
  },
  macos: { name: 'trousseau', votre: 'votre trousseau', none: 'Le trousseau n’est pas disponible', ...LOST },
  windows: { name: MANAGER, votre: `le ${MANAGER}`, none: `Le ${MANAGER} n’est pas disponible`, ...LOST },
}

export const frKeychain = (system: System) => {
  const words = keychains[system]
  return { ...words, Votre: words.votre.replace(/^./, (first) => first.toUpperCase()) }
}

export type FrKeychain = ReturnType<typeof frKeychain>
