/** Spanish: how the user's own tools get access tokens. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const esTools = (format: Format): Texts['tools'] => ({
  heading: 'Usar en tus herramientas',
  choice: 'Herramienta',
  other: 'Otra',
  install: 'Instálala una vez, en una terminal',
  use: 'Úsala en tu código',
  inTerminal: 'Ejecuta en una terminal',
  start: 'Inicia un programa con un token',
  startHint:
    'Tu programa encuentra el token de acceso en la variable de entorno ACCESS_TOKEN. No se renueva mientras el programa se ejecuta.',
  copy: 'Copiar',
  copied: 'Copiado.',
  notCopied: 'No se pudo copiar. Selecciona el texto y cópialo.',
  asked: (lastAt, now) => `pidió un token ${format.since(lastAt, now)}`,
})
