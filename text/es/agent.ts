import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { EsKeychain } from './keychain.ts'

export const esAgent = (format: Format, keychain: EsKeychain): Texts['agent'] => ({
  used: (count, lastAt, now) =>
    format.plural(count, {
      one: format.ago(lastAt, now),
      other: `${format.ago(lastAt, now)} · ${format.number(count)} veces`,
    }),
  more: (count) => `y ${format.number(count)} más`,
  fewer: 'Mostrar menos',
  unused: 'Ninguna herramienta ha pedido aún un token de acceso.',
  off: `Lo has desactivado en ${keychain.settings}.`,
  offByAdministrator: 'Tu administrador ha desactivado los tokens para herramientas.',
  turnOn: 'Activar',
  errorTitle: 'Las herramientas no pueden obtener tokens',
  error: (error) => {
    const { path } = error
    switch (error.kind) {
      case 'pathTooLong':
        return `${path} es demasiado largo para un socket (${format.number(error.bytes)} bytes). Asigna a LATCHKEY_SOCKET una ruta de ${format.number(error.most)} bytes como máximo.`
      case 'pathNotAbsolute':
        return 'LATCHKEY_SOCKET no es una ruta absoluta. Asígnale una ruta absoluta o quita la variable.'
      case 'inUse':
        return `Otro Latchkey ya está usando ${path}. Ciérralo o asigna otra ruta a LATCHKEY_SOCKET.`
      case 'notASocket':
        return `${path} existe, pero no es un socket. Muévelo o asigna otra ruta a LATCHKEY_SOCKET.`
      case 'folderMissing':
        return `No existe la carpeta ${path}. Créala o asigna otra ruta a LATCHKEY_SOCKET.`
      case 'folderUnsafe':
        return `${path} no es privado: la carpeta es de otro usuario, u otros pueden escribir en ella. Consulta a tu administrador.`
      case 'refused':
        return `Latchkey no puede usar ${path} (${error.cause}). Consulta a tu administrador.`
    }
  },
})
