import type { Texts } from '../en/index.ts'
import type { EsKeychain } from './keychain.ts'

export const esProxy = (keychain: EsKeychain): Texts['proxy'] => ({
  heading: (proxy) => `Iniciar sesión en el proxy ${proxy}`,
  user: 'Nombre de usuario del proxy',
  password: 'Contraseña del proxy',
  hint: `Lo requiere el proxy de tu empresa. El nombre de usuario y la contraseña se guardan en ${keychain.tu}.`,
  refused: 'El proxy ha rechazado este nombre de usuario y esta contraseña. Comprueba ambos e inténtalo de nuevo.',
  signIn: 'Iniciar sesión en el proxy',
})
