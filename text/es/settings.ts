/** Spanish: the settings, and About Latchkey. */
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

export const esSettings = (format: Format): Texts['settings'] => ({
  heading: 'Ajustes',
  connection: 'Esta conexión',
  unsaved: {
    title: '¿Guardar los cambios?',
    body: 'Los cambios aún no están guardados.',
    save: 'Guardar los cambios',
    discard: 'Descartar',
    keep: 'Seguir editando',
  },
  labels: {
    baseAddress: 'Dirección del servicio',
    displayName: 'Nombre en esta ventana',
    authUrl: 'Dirección del proveedor',
    flow: 'Modo de inicio de sesión',
    providerDomain: 'Dominio del proveedor',
    realm: 'Realm',
    scope: 'Scope',
    audience: 'Audience',
    clientId: 'ID de cliente',
    clientSecret: 'Secreto de cliente',
    redirectPort: 'Puerto de vuelta',
  },
  flows: { 'password-realm': 'En esta ventana', browser: 'En el navegador' },
  hints: {
    providerDomain: 'Si difiere de la dirección del proveedor.',
    redirectPort: 'Solo si tu proveedor exige siempre la misma dirección.',
  },
  toCorrect: (count) => `Hay que corregir ${format.number(count)} valores. No se ha guardado nada.`,
  problem: (field, problem) =>
    ({
      managed: 'Está fijado fuera de Latchkey y no se puede cambiar aquí.',
      missing:
        field === 'baseAddress' ? 'Escribe la dirección de tu servicio.' : 'El inicio único también necesita esto.',
      unusable:
        field === 'providerDomain'
          ? 'Escribe solo un dominio, como login.example.com.'
          : 'Este valor no es válido. Busca texto pegado por error.',
      notAnAddress: `Esta dirección no es válida. Escribe una como https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Esta dirección no es segura. Usa la que empieza por https://.',
      hasCredentials: 'Quita el nombre y la contraseña: los escribirás al iniciar sesión.',
      hasQuery: 'Quita todo a partir del ? o del #.',
      taken: 'Otra de tus conexiones ya lo usa.',
      enterAgain: 'Este secreto es del proveedor anterior. Escribe el de esta dirección.',
      managedSecret:
        'El secreto de cliente está fijado fuera de Latchkey. Solo se envía a una dirección fijada también fuera.',
    })[problem],
  managed: (source, variable) =>
    ({
      policy: 'Fijado por tu administrador.',
      environment: `Fijado por ${variable}.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Tienes una sesión en ${host}. Esa sesión queda en tu llavero para cuando vuelvas; hasta que inicies sesión en la dirección nueva, tus herramientas no reciben token de acceso.`,
      memory: `Tienes una sesión en ${host}. Esa sesión se conserva hasta que salgas de Latchkey; hasta que inicies sesión en la dirección nueva, tus herramientas no reciben token de acceso.`,
      unwritten: `Tienes una sesión en ${host} pero ahora no se puede guardar en tu llavero: quizá tengas que iniciarla otra vez cuando vuelvas.`,
    })[kept],
  saved: 'Ajustes guardados.',

  sso: {
    heading: 'Inicio único',
    setUp: 'Configurado',
    notSetUp: 'Sin configurar',
    lead: 'Pide estos valores a tu administrador.',
    secretHint: 'Se guarda en tu llavero.',
    secretStored: 'Hay un secreto en tu llavero. Escribe otro para reemplazarlo.',
    secretRemoved: 'Se quita al guardar.',
    removeSecret: 'Quitar',
    keepSecret: 'Conservar',
  },

  desktop: {
    heading: 'En este equipo',
    hint: 'Estos cambios se aplican al instante.',
    switches: {
      agent: 'Dejar que las herramientas pidan tokens de acceso',
      startAtLogin: 'Abrir Latchkey al entrar en el equipo',
    },
    notSet: 'No se pudo cambiar. Inténtalo otra vez, o sal de Latchkey y vuelve a abrirlo.',
  },

  about: {
    open: 'Acerca de Latchkey',
    heading: 'Acerca de Latchkey',
    version: (version) => `Versión ${version}`,
    lead: 'Inicia sesión una vez; tus herramientas siguen conectadas.',
    help: 'En una terminal, latchkey --help explica cómo tus scripts y cuadernos obtienen un token de acceso.',
    diagnosticsHint: 'Para tu administrador: un archivo de diagnóstico, sin contraseñas ni tokens.',
    saved: (file) => `Guardado como ${file}.`,
    licences: 'Licencias de código abierto',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey contiene un paquete de terceros.',
        other: `Latchkey contiene ${format.number(count)} paquetes de terceros. Gracias.`,
      }),
    noLicences: 'No se puede mostrar la lista. Vuelve a abrir Latchkey para verla.',
  },
})
