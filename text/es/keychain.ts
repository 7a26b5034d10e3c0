/** Each name is masculine, as the sentences around it require. */
import type { System } from '../system.ts'

const UNLOCK = 'Si está bloqueado, desbloquéalo e inténtalo de nuevo.'
const UNWRITABLE = 'puede que esté bloqueado o no exista, o que el disco esté lleno'
const LOST = { explanation: 'Se ha eliminado.', recovery: 'Inicia sesión para empezar una nueva.' }
const KEYRING = 'depósito de claves'
const MANAGER = 'Administrador de credenciales'

const keychains = {
  linux: {
    settings: 'Ajustes',
    name: KEYRING,
    tu: `tu ${KEYRING}`,
    none: `Este entorno de escritorio no tiene ${KEYRING}`,
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    explanation: `Se ha eliminado o está en un ${KEYRING} que no está abierto.`,
    recovery: `${LOST.recovery} O abre el otro ${KEYRING} y comprueba de nuevo.`,
  },
  macos: {
    settings: 'Ajustes',
    name: 'llavero',
    tu: 'tu llavero',
    none: 'El llavero no está disponible',
    unlock: UNLOCK,
    unwritable: UNWRITABLE,
    ...LOST,
  },
  windows: {
    settings: 'Configuración',
    name: MANAGER,
    tu: `el ${MANAGER}`,
    none: `El ${MANAGER} no está disponible`,
    unlock: 'Inténtalo de nuevo. Si se repite, muestra los detalles a tu administrador.',
    unwritable: 'puede que el disco esté lleno',
    ...LOST,
  },
}

export const esKeychain = (system: System) => {
  const words = keychains[system]
  return { ...words, Tu: words.tu.replace(/^./, (first) => first.toUpperCase()) }
}

export type EsKeychain = ReturnType<typeof esKeychain>
