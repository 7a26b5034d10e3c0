/** French: signing in to a proxy. */
import type { Texts } from '../index.ts'

export const frProxy: Texts['proxy'] = {
  heading: (proxy) => `Connexion au proxy ${proxy}`,
  user: 'Nom d’utilisateur du proxy',
  password: 'Mot de passe du proxy',
  hint: 'Le proxy de votre entreprise le demande. Ces données sont conservées dans votre trousseau.',
  refused: 'Le proxy a refusé ce nom et ce mot de passe. Vérifiez les deux, puis réessayez.',
  signIn: 'Se connecter au proxy',
}
