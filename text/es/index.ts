import type { Texts } from '../en/index.ts'
import { createFailureSentences } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { System } from '../system.ts'
import { esAgent } from './agent.ts'
import { esChallenge } from './challenge.ts'
import { esCheckComputer } from './check-computer.ts'
import { esConnections } from './connections.ts'
import { esDefect } from './defects.ts'
import { esDesktop } from './desktop.ts'
import { esDetails } from './details.ts'
import { esFailures } from './failures.ts'
import { esKeychain } from './keychain.ts'
import { esProxy } from './proxy.ts'
import { esSessionEnd } from './session-end.ts'
import { esSettings } from './settings.ts'
import { esTools } from './tools.ts'

export const es = (format: Format, system: System): Texts => {
  const keychain = esKeychain(system)
  const until = (at: number, now: number): string => `hasta ${format.moment(at, now)}`
  const left = (ms: number): string => (ms < 60_000 ? 'queda menos de un minuto' : `quedan ${format.left(ms)}`)
  const service = (host: string | undefined): string => host ?? 'tu servicio'
  const who = ({ issuer, host }: ServerRole): string =>
    host ?? (issuer === 'identityProvider' ? 'tu proveedor de identidad' : 'tu servicio')

  const silent = {
    heading: `${keychain.Tu} no responde`,
    lead: 'Latchkey lo necesita para recuperar tu sesión.',
    body: 'Latchkey lo sigue intentando y continuará automáticamente. O inicia sesión de nuevo.',
  }

  return {
    language: 'es',
    format,
    system,
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
      usernameMissing: 'Escribe tu nombre de usuario.',
      usernameColon: 'Un nombre de usuario no puede llevar dos puntos.',
      passwordMissing: 'Escribe tu contraseña.',
      codeMissing: 'Escribe el código.',
      recoveryCodeMissing: 'Escribe un código de recuperación.',
      currentPasswordMissing: 'Escribe tu contraseña actual.',
      currentPasswordWrong: 'La contraseña actual no es correcta.',
      newPasswordMissing: 'Escribe una contraseña nueva.',
      repetitionMissing: 'Escribe de nuevo la contraseña nueva.',
      repetitionDiffers: 'Las contraseñas no coinciden.',
    },
    browserPage: {
      signedIn: {
        title: 'Has iniciado sesión.',
        body: 'Puedes cerrar esta página. Latchkey continúa automáticamente.',
      },
      declined: {
        title: 'No has iniciado sesión.',
        body: 'El inicio de sesión se ha rechazado. Latchkey te dice qué puedes hacer.',
      },
      failed: {
        title: 'No se ha podido iniciar sesión.',
        body: 'Vuelve a Latchkey: te dice por qué y qué puedes hacer.',
      },
    },
    buttons: {
      connect: 'Continuar',
      connecting: 'Un momento…',
      continueInBrowser: 'Continuar en el navegador',
      continueAnyway: 'Continuar de todos modos',
      signIn: 'Iniciar sesión',
      signingIn: 'Iniciando sesión…',
      continue: 'Continuar',
      continuing: 'Comprobando…',
      cancel: 'Cancelar',
      lookAgain: 'Comprobar de nuevo',
      lookingAgain: 'Comprobando…',
      signOut: 'Cerrar sesión',
      refreshNow: 'Renovar ahora',
      refreshing: 'Renovando…',
      changePassword: 'Cambiar contraseña',
      changingPassword: 'Cambiando…',
      copyToken: 'Copiar token de acceso',
      save: 'Guardar',
      saving: 'Guardando…',
      saveDiagnostics: 'Guardar diagnóstico',
      showInFolder: 'Mostrar en la carpeta',
      settings: keychain.settings,
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
      leadAgain: 'Inicia sesión para que tus herramientas continúen.',
      choice: 'Cómo iniciar sesión',
      methods: { password: 'Contraseña', passwordRealm: 'Inicio de sesión único', browser: 'Navegador' },
      providerHint: 'Usa el nombre y la contraseña de tu cuenta de empresa.',
      capsLock: 'Bloq Mayús está activado.',
      cancelled: 'Inicio de sesión cancelado.',
      incomplete: (names) => ({
        title: 'El inicio de sesión único no está configurado del todo',
        body: `${names.length === 1 ? 'Falta' : 'Faltan'}: ${names.join(', ')}. Enséñaselo a tu administrador.`,
      }),
      withPassword: 'Iniciar sesión con una contraseña',
      startAtLogin: 'Abrir Latchkey al iniciar sesión en el equipo',
      revocation: (revocation, host) =>
        ({
          none: undefined,
          done: 'Has cerrado la sesión, aquí y en el servicio.',
          refused: `Has cerrado la sesión aquí, pero ${service(host)} no permitió terminarla. Avisa a tu administrador.`,
          pending: `Has cerrado la sesión aquí. Latchkey sigue intentando terminarla en ${service(host)}.`,
          notPossible:
            'Has cerrado la sesión. Tu proveedor de identidad no puede revocar su token, así que Latchkey lo ha eliminado aquí; caduca por sí solo.',
        })[revocation],
      handedOutUntil: (at, now) => `Las herramientas que ya tienen un token de acceso pueden usarlo ${until(at, now)}.`,
    },

    challenge: esChallenge,

    stillWaiting: (asked) => `Esperando a ${who(asked)}…`,
    tryAgainNow: 'Ya puedes intentarlo de nuevo.',
    restoring: {
      heading: 'Un momento',
      lead: 'Recuperando tu sesión…',
      slow: 'Está tardando más de lo habitual.',
      network: 'Comprueba tu red o tu VPN.',
    },
    sessionUnread: {
      // Nobody can unlock Credential Manager, so no text on Windows says to unlock it.
      locked:
        system === 'windows'
          ? silent
          : {
              heading: `${keychain.Tu} está bloqueado`,
              lead: 'Latchkey lo necesita para recuperar tu sesión.',
              body: 'Desbloquéalo y Latchkey continuará automáticamente. O inicia sesión de nuevo.',
            },
      unavailable: silent,
      missing: {
        heading: `Tu sesión no está en ${keychain.tu}`,
        lead: keychain.explanation,
        body: keychain.recovery,
      },
    },
    lookedAgain: `Tu sesión sigue sin estar en ${keychain.tu}.`,

    unknownVersion: {
      heading: 'Guardada por otra versión de Latchkey',
      lead: 'Esta versión no puede leer tu sesión.',
      body: 'Actualiza Latchkey para recuperarla. O inicia sesión por ahora: esa sesión terminará cuando salgas de Latchkey, y la guardada se quedará como está.',
    },

    session: {
      menu: (name) => (name === '' ? 'Tu cuenta: menú' : `${name}: menú`),
      connected: 'Tus herramientas tienen acceso',
      ready: 'Listo para tus herramientas',
      access: (at, now) => `Tus herramientas tienen acceso hasta ${format.moment(at, now)}`,
      endsIn: (ms) =>
        `${ms < 60_000 ? 'Queda menos de un minuto' : `Tiempo restante: ${format.left(ms)}`}. Después inicia sesión de nuevo: tu proveedor de identidad no permite que Latchkey renueve la sesión.`,
      tokenUntil: (at, now) => `Tus herramientas tienen un token hasta ${format.moment(at, now)}`,
      noToken: 'Tus herramientas no pueden obtener un token ahora',
      retryIn: (ms) => `nuevo intento en ${format.wait(ms)}`,
      retrying: 'nuevo intento en curso',
      outage: (tools, retry) => `${tools}; ${retry}.`,
      retryNow: 'Reintentar ahora',
      endingTitle: 'Tu sesión no se puede renovar',
      endingBody: 'Inicia sesión para evitar una interrupción.',
      shortLived:
        'Los tokens de tu servicio caducan en pocos segundos, así que tus herramientas quizá tengan que esperar uno nuevo.',
      refreshing: 'Renovando…',
      refreshed: 'Renovado.',
      stillNotRefreshed: 'No se ha podido renovar. Latchkey lo sigue intentando.',
      copied: 'Copiado. Se borrará del portapapeles en 1 minuto.',
      notCopied: 'No se ha copiado nada: ahora no hay ningún token de acceso.',
      signingOut: {
        title: '¿Cerrar sesión?',
        body: (count) =>
          format.plural(count, {
            one: 'Una herramienta usa tu sesión o la ha usado en los últimos minutos. Al cerrarla no podrá obtener otro token.',
            other: `${format.number(count)} herramientas usan tu sesión o la han usado en los últimos minutos. Al cerrarla no podrán obtener otro token.`,
          }),
        stay: 'Mantener la sesión',
        signOut: 'Cerrar sesión de todos modos',
      },
      kept: {
        keychain: 'Tu sesión sigue abierta tras un reinicio.',
        memory: `${keychain.none}: tu sesión sigue abierta hasta que salgas de Latchkey.`,
      },
    },

    notices: {
      count: (count) => format.plural(count, { one: '1 aviso', other: `${format.number(count)} avisos` }),
      show: 'Enséñaselo a tu administrador.',
    },

    agent: esAgent(format, keychain),
    tools: esTools,
    settings: esSettings(format, keychain),
    defect: esDefect,

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
          pattern: 'las series y las repeticiones son fáciles de adivinar',
          date: 'las fechas son fáciles de adivinar',
          short: 'otra palabra ayudaría',
        }[hint]
        return `${word}: ${because}.`
      },
    },

    failure: createFailureSentences(esFailures(format, keychain)),
    unexpected: {
      title: 'Algo ha fallado en Latchkey.',
      body: 'Inténtalo de nuevo. Si el problema continúa, sal de Latchkey y vuelve a abrirlo.',
    },
    says: { service: 'El servicio dice:', identityProvider: 'Tu proveedor de identidad dice:' },

    details: esDetails(format),

    state: {
      notConfigured: 'Sin configurar',
      restoring: 'Recuperando tu sesión',
      sessionUnread: {
        locked: system === 'windows' ? `${keychain.Tu} no responde` : `${keychain.Tu} está bloqueado`,
        unavailable: `${keychain.Tu} no responde`,
        missing: `Tu sesión no está en ${keychain.tu}`,
      },
      unknownVersion: 'Sesión guardada por otra versión',
      signedOut: 'Sin sesión',
      waiting: (tools) => `Esperando a que inicies sesión: ${format.few(tools, (count) => `${count} más`)}`,
      signingIn: 'Iniciando sesión',
      signedIn: (name, host) =>
        name === ''
          ? `Sesión iniciada en ${service(host)}`
          : host === undefined
            ? `Sesión de ${name}`
            : `Sesión de ${name} · ${host}`,
      refreshing: 'Renovando',
      unreachable: (asked) => `Sin conexión con ${who(asked)}`,
      refreshFailing: (asked) => `Aún no hay token de acceso nuevo de ${who(asked)}`,
      sessionKept: 'sesión conservada',
      ending: 'Tu sesión no se puede renovar. Inicia sesión de nuevo',
      expired: 'Tu sesión ha terminado. Inicia sesión de nuevo',
      noToken: 'Tus herramientas no pueden obtener un token',
      unsaved: 'No se puede guardar tu sesión',
    },

    settingsProblem: ({ where, problem }) =>
      ({
        unusable: `El valor de ${where} no es válido y se ha ignorado.`,
        strictest: `El valor de ${where} no es válido. Hasta que se corrija, se aplica el valor más estricto.`,
        closed: `Hasta que se corrija ${where}, las herramientas no reciben tokens, los clientes de IA no reciben datos, la pasarela está desactivada y no se pueden añadir conexiones.`,
        missing: `${where} no existe en este equipo.`,
        unreadable: `No se puede leer ${where} y se ha ignorado.`,
        unsafe: `Se ha ignorado ${where} porque otros usuarios, además del administrador, pueden cambiarlo.`,
        notPrivate: `Se ha ignorado ${where} porque otro usuario podría haberlo cambiado. Comprueba tus ajustes.`,
        damaged: `${where} está dañado y se ha ignorado.`,
        taken: `${where} tiene la dirección de otra conexión y se ha ignorado.`,
        notAllowed: `Se ha ignorado ${where} porque aquí no se permiten conexiones propias. La sesión de esa conexión se conserva.`,
        managedSecret: `Se ha ignorado ${where}: el secreto de cliente está definido fuera de Latchkey y solo se envía a una dirección de proveedor definida también fuera.`,
      })[problem],

    proxy: esProxy(keychain),
    sessionEnd: esSessionEnd(format, keychain),
    check: esCheckComputer(format),
    connections: esConnections,
    desktop: esDesktop(keychain),
    tray: {
      tooltip: (line) => `Latchkey: ${line}`,
      timeLeft: (ms) => `Token de acceso: ${left(ms)}`,
      timeLeftOver: (ms) => `Token de acceso: aprox. ${format.left(ms)}`,
      show: 'Mostrar Latchkey',
      signIn: 'Iniciar sesión…',
      help: 'Ayuda',
      refreshNow: 'Renovar ahora',
      signOut: 'Cerrar sesión',
      quit: 'Salir de Latchkey',
      noTray: {
        title: 'Latchkey sigue en marcha.',
        body: 'Este entorno de escritorio no tiene bandeja del sistema. Vuelve a abrir Latchkey para ver su ventana.',
      },
    },

    notifications: {
      ending: (host, at, now) => ({
        title: 'Inicia sesión de nuevo',
        body: `Tu sesión en ${service(host)} no se puede renovar. Tus herramientas siguen funcionando ${until(at, now)}.`,
      }),
      aboutToEnd: (host, at, now) => ({
        title: 'Tu sesión está a punto de terminar',
        body: `Tus herramientas tienen acceso a ${service(host)} ${until(at, now)}. Inicia sesión de nuevo para evitar una interrupción.`,
      }),
      ended: (host) => ({
        title: 'Inicia sesión de nuevo',
        body: `Tu sesión en ${service(host)} ha terminado. Tus herramientas no podrán obtener un token hasta que inicies sesión.`,
      }),
      waiting: (tool, host) => ({
        title: `${tool} espera a que inicies sesión`,
        body: `Inicia sesión en ${service(host)} y continuará enseguida.`,
      }),
      asked: (tool, host) => ({
        title: `${tool} necesita que inicies sesión`,
        body: `No ha obtenido ningún token porque no has iniciado sesión en ${service(host)}. Inicia sesión y vuelve a ejecutarla.`,
      }),
      unsaved: {
        title: 'No se puede guardar tu sesión',
        body: `No se ha podido guardar en ${keychain.tu}: ${keychain.unwritable}. Tu sesión sigue abierta y Latchkey lo sigue intentando. Si sales ahora, quizá tengas que iniciar sesión de nuevo.`,
      },
    },
  }
}
