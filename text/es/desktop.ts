import type { Texts } from '../en/index.ts'
import type { EsKeychain } from './keychain.ts'
import { esStartProblem } from './start-problem.ts'

export const esDesktop = (keychain: EsKeychain): Texts['desktop'] => ({
  account: (name, host) => (host === undefined ? name : name === '' ? host : `${name} · ${host}`),
  copyToken: 'Copiar token de acceso',
  startAtLogin: 'Abrir al iniciar sesión en el equipo',
  settings: `${keychain.settings}…`,
  menu: {
    about: 'Acerca de Latchkey',
    services: 'Servicios',
    hide: 'Ocultar Latchkey',
    hideOthers: 'Ocultar otros',
    showAll: 'Mostrar todo',
    edit: 'Edición',
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    selectAll: 'Seleccionar todo',
    view: 'Visualización',
    actualSize: 'Tamaño real',
    zoomIn: 'Ampliar',
    zoomOut: 'Reducir',
    window: 'Ventana',
    close: 'Cerrar ventana',
    minimize: 'Minimizar',
    zoom: 'Zoom',
    front: 'Traer todo al frente',
  },
  folderInUse: (host, folder) => ({
    title: `Latchkey ya se está ejecutando en ${host}.`,
    body: `Usa la misma carpeta de datos, ${folder}. Sal primero de Latchkey en ${host}. Si allí ya no se está ejecutando, elige «Iniciar aquí».`,
    startAnyway: 'Iniciar aquí',
    quit: 'Salir',
  }),
  runsOnDisplay: (display) => ({
    title: 'Latchkey ya se está ejecutando en otra pantalla.',
    body: `Se está ejecutando en ${display}. Úsalo allí, o sal de él allí y vuelve a iniciarlo aquí.`,
  }),
  notStarted: 'No se puede iniciar Latchkey',
  startProblem: esStartProblem,
  diagnostics: {
    title: 'Guardar diagnóstico',
    fileName: 'Diagnóstico de Latchkey.txt',
    notSaved: (file, cause) => ({
      title: 'No se pudo guardar el archivo.',
      body: `Latchkey no ha podido escribir ${file} (${cause}). Prueba con otra carpeta.`,
    }),
  },
  destination: {
    change: {
      message: '¿Cambiar la dirección a la que Latchkey envía tu contraseña?',
      from: (address) => `Actual: ${address}`,
      to: (address) => `Nueva: ${address}`,
      confirm: 'Cambiar',
    },
    add: {
      message: '¿Añadir una conexión?',
      existing: (address) => `Conexión existente: ${address}`,
      added: (address) => `Conexión nueva: ${address}`,
      confirm: 'Añadir',
    },
    data: {
      message: '¿Cambiar la dirección a la que Latchkey envía tu token de acceso?',
      confirm: 'Cambiar',
      advice:
        'Tus herramientas envían tu token de acceso a esta dirección. Continúa solo si tu administrador te ha dado esta dirección.',
    },
    fields: {
      baseAddress: 'Dirección del servicio',
      authUrl: 'Proveedor de identidad',
      dataAddress: 'Dirección de los datos',
    },
    none: 'ninguna',
    advice:
      'Al iniciar sesión, tu nombre de usuario y tu contraseña se envían a la dirección nueva. Continúa solo si tu administrador te ha dado esta dirección.',
    cancel: 'Cancelar',
  },
  location: (file, { key, line, column }) => {
    if (line === undefined) return key === undefined ? file : `${key} (${file})`
    return key === undefined ? `${file} (línea ${line}, columna ${column})` : `${key} (${file}, línea ${line})`
  },
  unknownSetting: (where) => `${where} no es un ajuste de Latchkey y se ha ignorado.`,
  losesClientSecret: `${keychain.none}: el secreto de cliente queda en memoria y se pierde cuando sales de Latchkey.`,
  noSandbox:
    'Latchkey se ejecuta sin el sandbox de Chromium, que protege este equipo de páginas maliciosas. Inícialo con tu cuenta, no como root, y sin --no-sandbox.',
  update: {
    ready: (version) => `Latchkey ${version} está listo. Reiniciar lleva un momento y tu sesión sigue abierta.`,
    restart: 'Reiniciar Latchkey',
    restarting: 'Reiniciando…',
  },
})
