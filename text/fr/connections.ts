import type { Texts } from '../en/index.ts'

export const frConnections: Texts['connections'] = {
  label: 'Connexions',
  heading: 'Connexions',
  lead: 'Elle a sa propre session. Vos outils utilisent la première connexion, sauf s’ils en nomment une autre.',
  addOne: 'Ajouter une connexion…',
  name: 'Nom pour vos outils',
  nameHint: 'Des minuscules, des chiffres, - et _, comme dans',
  address: 'Adresse de ce service',
  notAName: 'Utilisez au plus 32 minuscules, chiffres, - et _. Commencez par une lettre ou un chiffre.',
  nameMissing: 'Saisissez un nom.',
  add: 'Ajouter une connexion',
  adding: 'Ajout…',
  remove: (name) => `Supprimer ${name}`,
  removing: 'Suppression…',
  removed: (name) => `${name} : connexion supprimée.`,
  removal: {
    title: (name) => `Supprimer ${name} ?`,
    body: 'Vous en serez déconnecté, et vos outils ne pourront plus l’utiliser.',
    confirm: 'Supprimer',
    keep: 'Garder',
  },
  stillThere: 'Vous pourrez supprimer la connexion quand le service aura terminé la session.',
  attention: (count) => (count === 1 ? '1 autre à vérifier' : `${count} autres à vérifier`),
  managed: 'Seul votre administrateur peut ajouter des connexions.',
}
