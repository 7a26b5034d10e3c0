import type { Texts } from '../en/index.ts'

export const esConnections: Texts['connections'] = {
  label: 'Conexiones',
  heading: 'Conexiones',
  lead: 'Tiene su propia sesión. Tus herramientas usan la primera conexión, salvo que nombren otra.',
  addOne: 'Añadir conexión…',
  name: 'Nombre para tus herramientas',
  nameHint: 'Letras minúsculas, cifras, - y _, como en',
  address: 'Dirección de este servicio',
  notAName: 'Usa hasta 32 letras minúsculas, cifras, - y _. Empieza con una letra o una cifra.',
  nameMissing: 'Escribe un nombre.',
  add: 'Añadir conexión',
  adding: 'Añadiendo…',
  remove: (name) => `Quitar ${name}`,
  removing: 'Quitando…',
  removed: (name) => `${name}: conexión quitada.`,
  removal: {
    title: (name) => `¿Quitar ${name}?`,
    body: 'Se cerrará su sesión y tus herramientas ya no podrán usarla.',
    confirm: 'Quitar',
    keep: 'Conservar',
  },
  stillThere: 'Podrás quitar la conexión cuando el servicio haya terminado la sesión.',
  attention: (count) => (count === 1 ? '1 más requiere atención' : `${count} más requieren atención`),
  managed: 'Solo tu administrador puede añadir conexiones.',
}
