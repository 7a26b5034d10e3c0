import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { FrKeychain } from './keychain.ts'

export const frAgent = (format: Format, keychain: FrKeychain): Texts['agent'] => ({
  used: (count, lastAt, now) =>
    format.plural(count, {
      one: format.ago(lastAt, now),
      other: `${format.ago(lastAt, now)} · ${format.number(count)} fois`,
    }),
  more: (count) =>
    format.plural(count, { one: `et ${format.number(count)} autre`, other: `et ${format.number(count)} autres` }),
  fewer: 'Afficher moins',
  unused: 'Aucun outil n’a encore demandé de jeton d’accès.',
  off: `Vous l’avez désactivé dans ${keychain.settings}.`,
  offByAdministrator: 'Votre administrateur a désactivé les jetons pour les outils.',
  turnOn: 'Activer',
  errorTitle: 'Les outils ne peuvent pas obtenir de jeton',
  error: (error) => {
    const { path } = error
    switch (error.kind) {
      case 'pathTooLong':
        return `${path} est trop long pour un socket (${format.number(error.bytes)} octets). Donnez à LATCHKEY_SOCKET un chemin d’au plus ${format.number(error.most)} octets.`
      case 'pathNotAbsolute':
        return 'LATCHKEY_SOCKET n’est pas un chemin absolu. Donnez-lui un chemin absolu, ou supprimez cette variable.'
      case 'inUse':
        return `Un autre Latchkey utilise déjà ${path}. Quittez-le, ou donnez un autre chemin à LATCHKEY_SOCKET.`
      case 'notASocket':
        return `${path} existe, mais n’est pas un socket. Déplacez-le, ou donnez un autre chemin à LATCHKEY_SOCKET.`
      case 'folderMissing':
        return `Le dossier ${path} n’existe pas. Créez-le, ou donnez un autre chemin à LATCHKEY_SOCKET.`
      case 'folderUnsafe':
        return `${path} n’est pas privé : le dossier appartient à un autre utilisateur, ou d’autres peuvent y écrire. Contactez votre administrateur.`
      case 'refused':
        return `Latchkey ne peut pas utiliser ${path} (${error.cause}). Contactez votre administrateur.`
    }
  },
})
