/** Spanish: signing in to a proxy. */
import type { Texts } from '../index.ts'

export const esProxy: Texts['proxy'] = {
  heading: (proxy) => `Iniciar sesión en el proxy ${proxy}`,
  user: 'Usuario del proxy',
  password: 'Contraseña del proxy',
  hint: 'Lo pide el proxy de tu empresa. Se guarda en tu llavero.',
  refused: 'El proxy rechazó este usuario y esta contraseña. Comprueba ambos e inténtalo otra vez.',
  signIn: 'Iniciar sesión en el proxy',
}
