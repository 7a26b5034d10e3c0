import type { Texts } from '../en/index.ts'

export const deConnections: Texts['connections'] = {
  label: 'Verbindungen',
  heading: 'Verbindungen',
  lead: 'Sie hat ihre eigene Sitzung. Programme verwenden die erste Verbindung, wenn sie keine andere angeben.',
  addOne: 'Verbindung hinzufügen …',
  name: 'Name für Ihre Programme',
  nameHint: 'Kleinbuchstaben, Ziffern, - und _, wie in',
  address: 'Adresse dieses Dienstes',
  notAName:
    'Verwenden Sie bis zu 32 Kleinbuchstaben, Ziffern, - und _, und beginnen Sie mit einem Buchstaben oder einer Ziffer.',
  nameMissing: 'Geben Sie einen Namen ein.',
  add: 'Verbindung hinzufügen',
  adding: 'Wird hinzugefügt …',
  remove: (name) => `${name} entfernen`,
  removing: 'Wird entfernt …',
  removed: (name) => `${name} entfernt.`,
  removal: {
    title: (name) => `${name} entfernen?`,
    body: 'Sie werden dort abgemeldet, und Ihre Programme können die Verbindung nicht mehr verwenden.',
    confirm: 'Entfernen',
    keep: 'Behalten',
  },
  stillThere: 'Sie können die Verbindung entfernen, sobald der Dienst die Sitzung beendet hat.',
  attention: (count) => (count === 1 ? 'eine weitere braucht Sie' : `${count} weitere brauchen Sie`),
  managed: 'Nur Ihre IT kann Verbindungen hinzufügen.',
}
