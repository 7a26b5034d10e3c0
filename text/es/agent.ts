/** Spanish: the local endpoint that hands out access tokens, and who used it. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const esAgent = (format: Format): Texts['agent'] => ({
  usedBy: 'Usado hace poco por',
  used: (count, lastAt, now) =>
    format.plural(count, {
      one: format.ago(lastAt, now),
      other: `${format.ago(lastAt, now)} · ${format.number(count)} veces`,
    }),
  more: (count) => `y ${format.number(count)} más`,
  fewer: 'Mostrar menos',
  unused: 'Ninguna herramienta ha pedido aún un token de acceso.',
  off: 'Está desactivado en Ajustes → En este equipo.',
  offByAdministrator: 'Tu administrador lo ha desactivado.',
  turnOn: 'Activar',
  troubleTitle: 'Las herramientas no pueden pedir tokens de acceso.',
  trouble: (trouble) => {
    const { path } = trouble
    switch (trouble.kind) {
      case 'pathTooLong':
        return `${path} tiene ${format.number(trouble.bytes)} bytes, demasiado para un socket. Da a LATCHKEY_SOCKET una ruta de ${format.number(trouble.most)} bytes como máximo.`
      case 'pathNotAbsolute':
        return 'LATCHKEY_SOCKET no es una ruta absoluta.'
      case 'inUse':
        return `Otro Latchkey ya se está ejecutando en ${path}. Ciérralo o da otra ruta a LATCHKEY_SOCKET.`
      case 'notASocket':
        return `Hay otra cosa en ${path}. Quítala o da otra ruta a LATCHKEY_SOCKET.`
      case 'folderMissing':
        return `No existe la carpeta ${path}. Créala o da otra ruta a LATCHKEY_SOCKET.`
      case 'folderUnsafe':
        return `${path} no es privado: la carpeta es de otra persona, u otros pueden escribir en ella. Pregunta a tu administrador.`
      case 'refused':
        return `El sistema rechaza ${path} (${trouble.cause}). Pregunta a tu administrador.`
    }
  },
})
