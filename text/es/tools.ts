/** Spanish: how the user's own tools get access tokens. */

import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'

export const esTools = (format: Format): Texts['tools'] => ({
  heading: 'Usar en tus herramientas',
  yours: 'Tus herramientas',
  another: 'Usar en otra herramienta',
  begin: 'Empieza con una línea',
  tiles: { python: 'cuaderno o script', r: 'con httr2', shell: 'curl y otras', file: 'con un archivo' },
  choice: 'Herramienta',
  other: 'Otra',
  file: 'Excel y BI',
  install: 'Instalación (una sola vez, en una terminal)',
  installInNotebook: 'O instalación en un cuaderno',
  use: 'En tu código',
  replace: 'cambia la ruta por la de tus datos',
  fileHint:
    'Excel, Power BI y Tableau no pueden pedir tokens a Latchkey. Deja que este script escriba un archivo y cárgalo allí.',
  inTerminal: 'Ejecuta en una terminal',
  start: 'Inicia un programa con un token',
  startHint:
    'Tu programa encuentra el token de acceso en la variable de entorno ACCESS_TOKEN. No se renueva mientras el programa se ejecuta.',
  copy: 'Copiar',
  copied: 'Copiado.',
  notCopied: 'No se pudo copiar. Selecciona el texto y cópialo.',
  asked: (lastAt, now) => `pidió un token ${format.since(lastAt, now)}`,
})
