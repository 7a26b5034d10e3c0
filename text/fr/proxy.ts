import type { Texts } from '../en/index.ts'
import type { FrKeychain } from './keychain.ts'

export const frProxy = (keychain: FrKeychain): Texts['proxy'] => ({
  heading: (proxy) => `Connexion au proxy ${proxy}`,
  user: 'Nom d’utilisateur du proxy',
  password: 'Mot de passe du proxy',
  hint: `Le proxy de votre entreprise l’exige. Ces informations sont enregistrées dans ${keychain.votre}.`,
  refused: 'Le proxy a refusé ce nom d’utilisateur et ce mot de passe. Vérifiez les deux, puis réessayez.',
  signIn: 'Se connecter au proxy',
})
