/** Français : la connexion à un proxy. */
import type { Texts } from '../index.ts'

export const frProxy: Texts['proxy'] = {
  heading: (proxy) => `Connexion au proxy ${proxy}`,
  user: 'Nom sur le proxy',
  password: 'Mot de passe du proxy',
  hint: 'Le proxy de votre entreprise le demande. C’est conservé dans votre trousseau.',
  refused: 'Le proxy refuse ce nom et ce mot de passe. Vérifiez les deux, puis réessayez.',
  signIn: 'Se connecter au proxy',
}
