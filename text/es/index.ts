/** Spanish. The shared catalogue for window, tray and notifications. */
import { failureTeller } from '../failures.ts'
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'
import type { Asked } from '../sentence.ts'
import { esAgent } from './agent.ts'
import { esChallenge } from './challenge.ts'
import { esCheckComputer } from './check-computer.ts'
import { esConnections } from './connections.ts'
import { esDesktop } from './desktop.ts'
import { esDetails } from './details.ts'
import { esFailures } from './failures.ts'
import { esProxy } from './proxy.ts'
import { esSettings } from './settings.ts'
import { esTools } from './tools.ts'

export const es = (format: Format): Texts => {
  const until = (at: number, now: number): string => `hasta ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'queda menos de un minuto' : `quedan ${format.left(ms)}`)
  const service = (host: string | undefined): string => host ?? 'tu servicio'
  const who = ({ issuer, host }: Asked): string =>
    host ?? (issuer === 'identityProvider' ? 'tu proveedor de identidad' : 'tu servicio')

  return {
    language: 'es',
    format,
    app: 'Latchkey',

    fields: {
      serviceAddress: 'Dirección del servicio',
      username: 'Nombre de usuario',
      password: 'Contraseña',
      code: 'Código',
      recoveryCode: 'Código de recuperación',
      currentPassword: 'Contraseña actual',
      newPassword: 'Contraseña nueva',
      repeatNewPassword: 'Repite la contraseña nueva',
    },
    fieldErrors: {
      addressMissing: 'Escribe la dirección de tu servicio.',
      usernameMissing: 'Escribe tu nombre de usuario.',
      usernameColon: 'Un nombre de usuario no puede llevar dos puntos.',
      passwordMissing: 'Escribe tu contraseña.',
      codeMissing: 'Escribe el código.',
      recoveryCodeMissing: 'Escribe un código de recuperación.',
      currentPasswordMissing: 'Escribe tu contraseña actual.',
      currentPasswordWrong: 'La contraseña actual no es correcta.',
      newPasswordMissing: 'Escribe una contraseña nueva.',
      repetitionMissing: 'Escribe otra vez la contraseña nueva.',
      repetitionDiffers: 'Las contraseñas no coinciden.',
    },
    /** The browser's page after the sign-in there. */
    browserPage: { title: 'Vuelve a Latchkey', body: 'Puedes cerrar esta página. Latchkey continúa automáticamente.' },
    buttons: {
      connect: 'Continuar',
      connecting: 'Un momento…',
      continueInBrowser: 'Continuar en el navegador',
      changeAddress: 'Cambiar la dirección',
      continueAnyway: 'Continuar de todos modos',
      signIn: 'Iniciar sesión',
      signingIn: 'Iniciando sesión…',
      continue: 'Continuar',
      continuing: 'Comprobando…',
      cancel: 'Cancelar',
      lookAgain: 'Comprobar otra vez',
      lookingAgain: 'Comprobando…',
      signOut: 'Cerrar sesión',
      refreshNow: 'Renovar ahora',
      refreshing: 'Renovando…',
      changePassword: 'Cambiar contraseña',
      changingPassword: 'Cambiando…',
      more: 'Más',
      copyToken: 'Copiar token de acceso',
      save: 'Guardar',
      saving: 'Guardando…',
      saveDiagnostics: 'Guardar diagnóstico',
      settings: 'Ajustes',
      showPassword: 'Mostrar contraseña',
      hidePassword: 'Ocultar contraseña',
      showPasswords: 'Mostrar contraseñas',
      hidePasswords: 'Ocultar contraseñas',
      back: 'Atrás',
    },

    connection: {
      heading: 'Conéctate a tu plataforma de datos',
      lead: 'Pide la dirección a tu administrador.',
    },

    signIn: {
      heading: 'Iniciar sesión',
      lead: 'Inicia sesión una vez; tus herramientas siguen conectadas.',
      leadAgain: 'Inicia sesión para que tus herramientas continúen.',
      choice: 'Cómo iniciar sesión',
      methods: { password: 'Contraseña', passwordRealm: 'Inicio único', browser: 'Navegador' },
      providerHint: 'Usa el nombre y la contraseña de tu cuenta de empresa.',
      capsLock: 'Bloq Mayús está activado.',
      startAtLogin: 'Abrir Latchkey al entrar en el equipo',
      revocation: (revocation, host) =>
        ({
          none: undefined,
          done: 'Has cerrado la sesión. La sesión ha terminado.',
          refused: `Has cerrado la sesión aquí, pero ${service(host)} se negó a terminarla allí. Díselo a tu administrador.`,
          pending: `Has cerrado la sesión aquí. Latchkey sigue intentando terminarla en ${service(host)}.`,
          notPossible:
            'Has cerrado la sesión aquí. El token de tu proveedor de identidad no se puede revocar; caduca por sí solo.',
        })[revocation],
      handedOutUntil: (at, now) => `Las herramientas que tienen un token de acceso pueden usarlo ${until(at, now)}.`,
    },

    challenge: esChallenge,

    stillWaiting: (asked) => `Esperando a ${who(asked)}…`,
    tryAgainNow: 'Ya puedes intentarlo otra vez.',
    restoring: {
      heading: 'Un momento',
      lead: 'Recuperando tu sesión…',
      slow: 'Está tardando más de lo habitual.',
      network: 'Comprueba tu red o tu VPN.',
    },
    sessionUnread: {
      locked: {
        heading: 'Tu llavero está bloqueado',
        lead: 'Latchkey lo necesita para recuperar tu sesión.',
        body: 'Desbloquea el llavero y Latchkey continúa automáticamente. O inicia sesión con tu contraseña.',
      },
      unavailable: {
        heading: 'Tu llavero no responde',
        lead: 'Latchkey lo necesita para recuperar tu sesión.',
        body: 'Latchkey lo sigue intentando y continúa automáticamente. O inicia sesión con tu contraseña.',
      },
      missing: {
        heading: 'Tu sesión no está en el llavero',
        lead: 'Se ha quitado de él, o su llavero no está abierto.',
        body: 'Inicia sesión para empezar una sesión nueva. O abre ese llavero y comprueba otra vez.',
      },
    },
    lookedAgain: 'Sigue sin estar ahí.',

    unknownVersion: {
      heading: 'Guardada por otra versión de Latchkey',
      lead: 'Esta versión no puede leer tu sesión.',
      body: 'Actualiza Latchkey para volver a usar la sesión. O inicia sesión aquí: esa sesión termina al salir de Latchkey, y la guardada no cambia.',
    },

    session: {
      heading: (name) => `Sesión de ${name}`,
      tools: 'Tus herramientas',
      connected: 'Tus herramientas están conectadas.',
      ready: 'Listo para tus herramientas.',
      access: (at, now) => `Tus herramientas tienen acceso hasta ${format.moment(at, now)}.`,
      left: (ms) => (ms < 60_000 ? 'Queda menos de un minuto.' : `Tiempo restante: ${format.left(ms)}.`),
      noToken: 'Tus herramientas no pueden obtener un token ahora.',
      toolsWait: 'Recibirán uno en cuanto vuelva el servicio.',
      refreshesAt: (at, now) => `Renovación automática: ${format.moment(at, now)}.`,
      refreshesLater: 'Se renueva en cuanto sea posible.',
      refreshing: 'Renovando…',
      asksAgain: 'Después tendrás que iniciar sesión de nuevo.',
      shortLived:
        'Los tokens de acceso del servicio caducan en pocos segundos. Latchkey los renueva como máximo cada 30 segundos, así que tus herramientas quizá tengan que esperar.',
      retryIn: (ms) => `Otro intento en ${format.wait(ms)}.`,
      retrying: 'Intentándolo ahora.',
      endingTitle: 'Tu sesión no se puede renovar.',
      endingBody: 'Inicia sesión para evitar una interrupción.',
      refreshed: 'Renovado.',
      stillNotRefreshed: 'Sin renovar.',
      copied: 'Copiado. Se borra del portapapeles tras 1 minuto.',
      notCopied: 'Sin copiar: ahora no hay ningún token de acceso.',
      signingOut: {
        title: '¿Cerrar sesión?',
        body: (count) =>
          format.plural(count, {
            one: 'Una herramienta ha usado tu sesión en los últimos minutos. Al cerrarla no podrá obtener otro token.',
            other: `${format.number(count)} herramientas han usado tu sesión en los últimos minutos. Al cerrarla no podrán obtener otro token.`,
          }),
        stay: 'Seguir con la sesión',
        signOut: 'Cerrarla de todos modos',
      },
      keptWithoutRefreshToken:
        'Tu proveedor de identidad no permite que Latchkey mantenga la sesión: termina cuando caduca el token de acceso o sales de Latchkey.',
      kept: (kept, { revoke }) =>
        ({
          keychain: revoke
            ? 'Guardada en tu llavero hasta que cierres la sesión.'
            : 'Guardada en tu llavero; se quita al cerrar la sesión.',
          memory: 'Este equipo no tiene llavero: la sesión queda en memoria y termina cuando sales de Latchkey.',
          unwritten:
            'La sesión no se puede guardar ahora en tu llavero. Todo sigue funcionando y Latchkey lo sigue intentando; si sales ahora, quizá tengas que iniciar sesión otra vez.',
        })[kept],
    },

    agent: esAgent(format),
    tools: esTools(format),
    settings: esSettings(format),

    changePassword: {
      heading: 'Cambiar contraseña',
      lead: 'Tus herramientas siguen conectadas.',
      changed: 'Contraseña cambiada.',
      advice: 'Varias palabras poco comunes forman una contraseña fuerte.',
      strength: ({ level, hint }) => {
        const word = ['Muy débil', 'Débil', 'Aceptable', 'Buena', 'Fuerte'][level]
        if (level > 2) return `${word}.`
        const because = {
          common: 'se parece a una contraseña común',
          word: 'una sola palabra es fácil de adivinar',
          name: 'los nombres son fáciles de adivinar',
          pattern: 'las series y repeticiones son fáciles de adivinar',
          date: 'las fechas son fáciles de adivinar',
          short: 'otra palabra ayudaría',
        }[hint]
        return `${word}: ${because}.`
      },
    },

    failure: failureTeller(esFailures(format)),
    unexpected: {
      title: 'Algo ha fallado en Latchkey.',
      body: 'Inténtalo otra vez. Si continúa, sal de Latchkey y vuelve a abrirlo.',
    },
    says: { service: 'El servicio dice:', identityProvider: 'Tu proveedor de identidad dice:' },

    details: esDetails(format),

    state: {
      notConfigured: 'Sin configurar',
      restoring: 'Recuperando tu sesión',
      sessionUnread: {
        locked: 'Tu llavero está bloqueado',
        unavailable: 'Tu llavero no responde',
        missing: 'Tu sesión no está en el llavero',
      },
      unknownVersion: 'Sesión guardada por otra versión',
      signedOut: 'Sin sesión',
      signingIn: 'Iniciando sesión',
      signedIn: (name, host) => (host === undefined ? `Sesión de ${name}` : `Sesión de ${name} · ${host}`),
      refreshing: 'Renovando',
      unreachable: (asked) => `Sin conexión con ${who(asked)}`,
      troubled: (asked) => `Aún sin token de acceso nuevo de ${who(asked)}`,
      sessionKept: 'sesión conservada',
      ending: 'Tu sesión no se puede renovar. Inicia sesión de nuevo',
      expired: 'Tu sesión ha terminado. Inicia sesión de nuevo',
      noToken: 'Tus herramientas no pueden obtener un token',
      unwritten: 'No se puede escribir en tu llavero',
    },

    settingsProblem: ({ where, problem }) =>
      ({
        unusable: `El valor de ${where} no es válido y se ha ignorado.`,
        unreadable: `No se puede leer ${where}. Se ha ignorado.`,
        unsafe: `Otros usuarios además del administrador pueden cambiar ${where}. Se ha ignorado.`,
        damaged: `${where} está dañado y se ha ignorado.`,
        taken: `${where} tiene la dirección de otra conexión y se ha ignorado.`,
        notAllowed: `Aquí no se permiten conexiones propias, así que se ha ignorado ${where}. Su sesión se conserva.`,
        managedSecret: `${where} no se usa: el secreto de cliente está fijado fuera de Latchkey y solo se envía a una dirección de proveedor fijada también fuera.`,
      })[problem],

    proxy: esProxy,
    check: esCheckComputer(format),
    connections: esConnections,
    desktop: esDesktop,
    tray: {
      tooltip: (line) => `Latchkey: ${line}`,
      timeLeft: (ms) => `Token de acceso: ${left(ms)}`,
      timeLeftOver: (ms) => `Token de acceso: más de ${format.left(ms)}`,
      show: 'Mostrar Latchkey',
      signIn: 'Iniciar sesión…',
      help: 'Ayuda',
      refreshNow: 'Renovar ahora',
      signOut: 'Cerrar sesión',
      quit: 'Salir de Latchkey',
      noTray: {
        title: 'Latchkey se ejecuta en segundo plano.',
        body: 'Este escritorio no tiene bandeja. Abre Latchkey otra vez para ver su ventana.',
      },
    },

    notifications: {
      ending: (host, at, now) => ({
        title: 'Inicia sesión otra vez',
        body: `Tu sesión en ${service(host)} no se puede renovar. Tus herramientas continúan ${until(at, now)}.`,
      }),
      aboutToEnd: (host, at, now) => ({
        title: 'Tu sesión está a punto de terminar',
        body: `Tus herramientas tienen acceso a ${service(host)} ${until(at, now)}. Inicia sesión otra vez para evitar una interrupción.`,
      }),
      ended: (host) => ({
        title: 'Inicia sesión otra vez',
        body: `Tu sesión en ${service(host)} ha terminado. Tus herramientas no podrán obtener un token hasta que inicies sesión.`,
      }),
      unwritten: {
        title: 'No se puede escribir en tu llavero',
        body: 'Tu sesión continúa. Si sales de Latchkey ahora, quizá tengas que iniciar sesión otra vez.',
      },
    },
  }
}
