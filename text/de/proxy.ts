import type { Texts } from '../en/index.ts'
import type { DeKeychain } from './keychain.ts'

export const deProxy = (keychain: DeKeychain): Texts['proxy'] => ({
  heading: (proxy) => `Am Proxy ${proxy} anmelden`,
  user: 'Proxy-Benutzername',
  password: 'Proxy-Passwort',
  hint: `Der Proxy Ihrer Firma verlangt das. Beides wird ${keychain.inIhrem} gespeichert.`,
  refused: 'Der Proxy hat Benutzername oder Passwort abgelehnt. Prüfen Sie beides und versuchen Sie es erneut.',
  signIn: 'Am Proxy anmelden',
})
