import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { EsKeychain } from './keychain.ts'

export const esSettings = (format: Format, keychain: EsKeychain): Texts['settings'] => ({
  heading: keychain.settings,
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
    redirectPort: 'Puerto de redirección',
    resource: 'Recurso (resource)',
    prompt: 'Pregunta (prompt)',
    dataAddress: 'Dirección de los datos',
    gateway: 'Pasarela',
    gatewayPort: 'Puerto de la pasarela',
    gatewayMethods: 'Solicitudes de la pasarela',
  },
  data: 'Datos y pasarela',
  gatewayMethods: { read: 'Solo lectura', all: 'Todas' },
  flows: { 'password-realm': 'En esta ventana', browser: 'En el navegador' },
  hints: {
    providerDomain: 'Solo si difiere de la dirección del proveedor.',
    redirectPort: 'Solo si tu proveedor exige una dirección de redirección fija.',
    resource: 'Solo si tu proveedor exige el parámetro resource.',
    prompt: 'Solo si tu proveedor exige una pregunta concreta, como consent.',
    dataAddress: 'Solo si tus datos no están en la dirección del servicio.',
    gatewayPort: 'Solo si tu administrador te ha dado un puerto fijo.',
  },
  toCorrect: (count) => `Corrige los ${format.number(count)} valores marcados y guarda de nuevo.`,
  problem: (field, problem) =>
    ({
      managed: 'Tu administrador o el entorno de este equipo define este valor.',
      missing:
        field === 'baseAddress'
          ? 'Escribe la dirección de tu servicio.'
          : 'El inicio de sesión único también necesita este valor.',
      unusable:
        field === 'providerDomain'
          ? 'Escribe solo un dominio, como login.example.com.'
          : 'Este valor no se puede usar. Comprueba que has pegado el texto correcto.',
      notAnAddress: `Esta dirección no es válida. Escribe una como https://${field === 'authUrl' ? 'login' : 'data'}.example.com.`,
      notHttps: 'Esta dirección no es segura. Usa la que empieza por https://.',
      hasCredentials: 'Quita el nombre de usuario y la contraseña: los escribirás al iniciar sesión.',
      hasQuery: 'Quita todo a partir del ? o del #.',
      taken: 'Otra conexión ya lo usa.',
      enterAgain: 'El secreto guardado es del proveedor anterior. Escribe el de esta dirección.',
      managedSecret:
        'El secreto de cliente está definido fuera de Latchkey. Solo se envía a una dirección definida también fuera.',
    })[problem],
  managed: (source, variable, place) =>
    ({
      policy:
        place === undefined
          ? 'Definido por tu administrador.'
          : `Definido por tu administrador (${{ registry: 'registro', preferences: 'perfil de configuración', file: 'archivo de directivas' }[place]}).`,
      environment: `Definido por ${variable}.`,
      user: undefined,
    })[source],
  leaving: (host, kept) =>
    ({
      keychain: `Tienes una sesión en ${host}. Esa sesión queda en ${keychain.tu} para cuando vuelvas. Tus herramientas no recibirán tokens de acceso hasta que inicies sesión en la dirección nueva.`,
      memory: `Tienes una sesión en ${host}. Esa sesión se conserva hasta que salgas de Latchkey. Tus herramientas no recibirán tokens de acceso hasta que inicies sesión en la dirección nueva.`,
      unsaved: `Tienes una sesión en ${host}, pero ahora no se puede guardar en ${keychain.tu}. Quizá tengas que iniciar sesión de nuevo si vuelves a esa dirección.`,
    })[kept],
  saved: 'Cambios guardados.',

  sso: {
    heading: 'Inicio de sesión único',
    setUp: 'Configurado',
    notSetUp: 'Sin configurar',
    lead: 'Pide estos valores a tu administrador.',
    secretHint: `Se guarda en ${keychain.tu}.`,
    secretStored: `Hay un secreto guardado en ${keychain.tu}. Escribe otro para reemplazarlo.`,
    secretRemoved: 'El secreto se eliminará al guardar.',
    removeSecret: 'Eliminar secreto',
    keepSecret: 'Conservar secreto',
  },

  desktop: {
    heading: 'Este equipo',
    hint: 'Los cambios se aplican al instante.',
    switches: {
      agent: 'Permitir que las herramientas pidan tokens de acceso',
      startAtLogin: 'Abrir Latchkey al iniciar sesión en el equipo',
    },
    notSet: 'No se pudo cambiar. Inténtalo de nuevo, o sal de Latchkey y vuelve a abrirlo.',
  },

  about: {
    heading: 'Ayuda e información',
    version: (version) => `Latchkey ${version}`,
    help: 'Tras iniciar sesión, la página de inicio muestra el código para tus scripts y cuadernos. En una terminal, latchkey --help indica qué puede hacer el comando.',
    diagnosticsHint: 'Para tu administrador: un archivo de diagnóstico, sin contraseñas ni tokens.',
    saved: (folder) => `Guardado en ${folder}.`,
    licences: 'Licencias de código abierto',
    licencesLead: (count) =>
      format.plural(count, {
        one: 'Latchkey contiene un paquete de terceros.',
        other: `Latchkey contiene ${format.number(count)} paquetes de terceros.`,
      }),
    noLicences: 'No se puede mostrar la lista. Vuelve a abrir Latchkey para verla.',
  },
})
