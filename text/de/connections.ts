/** German: several connections next to one another. */
import type { Texts } from '../index.ts'

export const deConnections: Texts['connections'] = {
  label: 'Verbindungen',
  heading: 'Verbindungen',
  lead: 'Jede hat ihre eigene Sitzung. Programme bekommen die erste, wenn sie keine andere nennen.',
  line: (name, host) => (host === undefined ? name : `${name} · ${host}`),
  name: 'Name für Ihre Programme',
  nameHint: 'Kleine Buchstaben und Ziffern, etwa staging:',
  address: 'Adresse ihres Dienstes',
  notAName:
    'Verwenden Sie bis zu 32 kleine Buchstaben, Ziffern, - und _, und beginnen Sie mit einem Buchstaben oder einer Ziffer.',
  nameMissing: 'Geben Sie einen Namen ein.',
  add: 'Verbindung hinzufügen',
  adding: 'Hinzufügen…',
  remove: (name) => `${name} entfernen`,
  removing: 'Entfernen…',
  removal: {
    title: (name) => `${name} entfernen?`,
    body: 'Sie werden dort abgemeldet, und Ihre Programme können die Verbindung nicht mehr nutzen.',
    confirm: 'Entfernen',
    keep: 'Behalten',
  },
  stillThere: 'Sie bleibt hier, bis der Dienst ihre Sitzung beendet hat.',
  own: 'Von Ihnen hinzugefügt',
  attention: (count) => (count === 1 ? '1 weitere mit Hinweis' : `${count} weitere mit Hinweis`),
  managed: 'Nur Ihre Administration kann Verbindungen hinzufügen.',
}
