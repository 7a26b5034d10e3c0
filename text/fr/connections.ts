/** French: several connections. */
import type { Texts } from '../index.ts'

export const frConnections: Texts['connections'] = {
  label: 'Connexions',
  heading: 'Connexions',
  lead: 'Chacune a sa propre session. Vos outils utilisent la première, sauf s’ils en demandent une autre.',
  line: (name, host) => (host === undefined ? name : `${name} · ${host}`),
  name: 'Nom pour vos outils',
  nameHint: 'Des minuscules, des chiffres, - et _, comme dans',
  address: 'Adresse de ce service',
  notAName: 'Utilisez au plus 32 minuscules, chiffres, - et _. Commencez par une lettre ou un chiffre.',
  nameMissing: 'Saisissez un nom.',
  add: 'Ajouter une connexion',
  adding: 'Ajout…',
  remove: (name) => `Retirer ${name}`,
  removing: 'Retrait…',
  removal: {
    title: (name) => `Retirer ${name} ?`,
    body: 'Vous en serez déconnecté, et vos outils ne pourront plus l’utiliser.',
    confirm: 'Retirer',
    keep: 'Garder',
  },
  stillThere: 'Vous pourrez retirer la connexion quand le service aura terminé la session.',
  own: 'Ajoutée par vous',
  attention: (count) => (count === 1 ? '1 autre à vérifier' : `${count} autres à vérifier`),
  managed: 'Seul votre administrateur peut ajouter des connexions.',
}
