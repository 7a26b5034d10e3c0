import { isoDay } from '../day.ts'
import type { DiagnosticsTexts } from '../en/diagnostics.ts'
import type { Format } from '../format.ts'
import type { System } from '../system.ts'
import { esKeychain } from './keychain.ts'

const list = (names: readonly string[]): string => new Intl.ListFormat('es').format(names)

export const esDiagnostics = (format: Format, system: System): DiagnosticsTexts => {
  const keychain = esKeychain(system)
  const on = (at: number): string => isoDay(at) ?? 'fecha desconocida'
  const days = (count: number): string => format.plural(count, { one: 'queda un día', other: `quedan ${count} días` })
  const ends = (at: number, daysLeft: number): string =>
    daysLeft < 0 ? `caducó el ${on(at)}` : `hasta el ${on(at)}, ${days(daysLeft)}`
  const sources = {
    policy: 'definido por el administrador',
    environment: 'definido por una variable de entorno',
    user: 'definido por ti',
  }

  return {
    head: (at) => `Diagnóstico de Latchkey, ${at}`,
    foot: (failed, warnings) => {
      const counted = [
        ...(failed > 0 ? [format.plural(failed, { one: 'un error', other: `${failed} errores` })] : []),
        ...(warnings > 0 ? [format.plural(warnings, { one: 'un aviso', other: `${warnings} avisos` })] : []),
      ]
      return counted.length === 0 ? 'No se han encontrado problemas.' : `${counted.join(', ')}.`
    },
    log: 'Las últimas líneas del registro:',
    noLog: 'El registro está vacío.',
    summary: {
      heading: 'Para leer al servicio de asistencia:',
      version: 'versión',
      sessions: 'sesiones',
      result: 'resultado',
      problem: 'primer problema',
      advice: 'qué hacer',
      noProblem: 'ninguno',
      onlyWarning: (problem: string) => `ninguno, pero hay un aviso: ${problem}`,
      noAdvice: 'nada',
    },

    states: { ok: 'correcto', warning: 'aviso', failed: 'ERROR', skipped: 'omitido' },
    checks: {
      versions: 'Versiones',
      sandbox: 'Sandbox',
      settings: keychain.settings,
      proxy: 'Proxy',
      name: 'Nombre',
      certificate: 'Certificado',
      service: 'Servicio',
      provider: 'Proveedor de identidad',
      clock: 'Reloj',
      browser: 'Navegador',
      keychain: keychain.name.replace(/^[dl]/, (first) => first.toUpperCase()),
      agent: 'Agente',
      gateway: 'Pasarela',
      tray: 'Bandeja',
    },

    skipped: (check) => `Depende de «${check}», que ha fallado.`,
    late: (seconds) => ({
      sentence: `No hubo respuesta en ${seconds} segundos.`,
      advice: 'Inténtalo de nuevo. Si el problema continúa, muestra este informe a tu administrador.',
    }),
    broken: (cause) => ({
      sentence: `No se pudo hacer esta comprobación (${cause}).`,
      advice: 'Muestra este informe a tu administrador.',
    }),

    versions: { app: (version) => `Latchkey ${version}` },

    sandbox: {
      good: 'Latchkey se ejecuta con el sandbox de Chromium.',
      off: {
        sentence: 'Latchkey se ejecuta sin el sandbox de Chromium, que protege este equipo de páginas maliciosas.',
        advice: 'Ábrelo con tu usuario, no como root, y sin --no-sandbox.',
      },
    },

    settings: {
      policyUnusable: {
        sentence: 'El archivo de directivas del administrador no es válido.',
        advice:
          'Muestra este informe a tu administrador. Hasta que se corrija el archivo, Latchkey conserva los últimos valores leídos, si los hay.',
      },
      good: 'Todos los ajustes son válidos.',
      incomplete: (connection, missing) => ({
        sentence: `El inicio de sesión único de la conexión ${connection} no está configurado del todo: ${missing.length === 1 ? 'falta' : 'faltan'} ${list(missing)}.`,
        advice: 'Añade lo que falta donde se definen los demás valores, o enseña este informe a tu administrador.',
      }),
      orBrowser: 'O pon flow en browser: entonces bastan scope y clientId.',
      useless: (names) => ({
        sentence: `Sin authUrl, ${list(names)} no ${names.length === 1 ? 'tiene' : 'tienen'} efecto.`,
        advice: 'Define authUrl, o enseña este informe a tu administrador.',
      }),
      nothingSet: {
        sentence: 'Latchkey aún no conoce tu servicio.',
        advice: 'Escribe su dirección en la ventana de Latchkey. Pídesela a tu administrador.',
      },
      problems: (count) => ({
        sentence: format.plural(count, {
          one: 'Un ajuste no es válido.',
          other: `${count} ajustes no son válidos.`,
        }),
        advice: 'Corrígelo o muestra este informe a tu administrador.',
      }),
      noLog: (cause) => ({
        sentence: `Todos los ajustes son válidos, pero no se puede escribir el registro (${cause}).`,
        advice: 'Comprueba que puedes escribir en su carpeta y vuelve a iniciar Latchkey.',
      }),
      value: (name, value, source, where) =>
        `${name}: ${value === null ? 'sin definir' : (value ?? 'definido, no se muestra')} (${[sources[source], ...(where ? [where] : [])].join(': ')})`,
      variable: (name, value) => `${name}: ${value ?? 'no válida, no se muestra'} (variable)`,
      path: (name, path, isMissing) => `${name}: ${path}${isMissing ? ' (no existe)' : ''}`,
    },

    proxy: {
      direct: (host) => `Latchkey se conecta a ${host} sin proxy.`,
      through: (host, proxy) => `Latchkey se conecta a ${host} a través del proxy ${proxy}.`,
      order: (ways) => `Orden de los intentos: ${ways.join(', ')}`,
      basic: (host, proxy) =>
        `Latchkey se conecta a ${host} a través del proxy ${proxy}, que requiere nombre de usuario y contraseña. Latchkey te los pide una vez.`,
      kerberos: (host, proxy) =>
        `A ${host} se llega por el proxy ${proxy}, que pide Kerberos. Tienes un tique para él.`,
      noTicket: (proxy, host) => ({
        sentence: `El proxy ${proxy} pide Kerberos y no tienes ningún tique para él.`,
        advice: `Inicia sesión en este equipo con tu cuenta de empresa o ejecuta kinit, y comprueba de nuevo. Si no basta, pregunta a tu administrador si el proxy se llama ${host} en Kerberos.`,
      }),
      noKerberos: (proxy) => ({
        sentence: `El proxy ${proxy} pide Kerberos y este equipo no tiene la biblioteca necesaria.`,
        advice: 'Pide a tu administrador que instale Kerberos aquí (en Debian y Ubuntu: libgssapi-krb5-2).',
      }),
      unsupported: (proxy, schemes, host) => ({
        sentence: `El proxy ${proxy} pide un inicio de sesión que Latchkey no admite: ${schemes}.`,
        advice: `Aquí, Latchkey puede iniciar sesión en un proxy con una contraseña o con Kerberos. Pide a tu administrador que permita ${host} sin inicio de sesión o con Basic, o que instale un proxy local que inicie sesión por ti.`,
      }),
      refused: (host, proxy, status) => ({
        sentence: `El proxy ${proxy} rechazó la conexión con ${host} (HTTP ${status}).`,
        advice: `Pide a tu administrador que permita ${host} en el proxy.`,
      }),
      unreached: (host, proxy, variable, cause) => ({
        sentence: `El proxy ${proxy} (definido en ${variable ?? 'los ajustes del sistema'}) no responde: ${cause}.`,
        advice: `${variable === undefined ? 'Corrige el proxy en los ajustes del sistema' : `Corrige o elimina la variable ${variable}`}, o comprueba tu red o VPN. Latchkey lo usa para ${host}.`,
      }),
    },

    name: {
      found: (host, addresses) => `${host} corresponde a ${addresses.join(', ')}.`,
      isAddress: (host) => `${host} es una dirección IP y no necesita DNS.`,
      leftToProxy: (host) => `El nombre ${host} lo resuelve el proxy.`,
      notFound: (host, cause) => ({
        sentence: `El nombre ${host} no se puede resolver: ${cause}.`,
        advice: 'Comprueba cómo está escrito, y tu red o VPN: muchos nombres solo se conocen en la red de una empresa.',
      }),
    },

    certificate: {
      good: (host, { validTo }, daysLeft) => `El certificado de ${host} es de confianza (${ends(validTo, daysLeft)}).`,
      endsSoon: (host, { subject, validTo }, daysLeft) => ({
        sentence: `El certificado de ${host} es de confianza, pero caduca pronto: ${subject} (${ends(validTo, daysLeft)}).`,
        advice: 'Pide a tu administrador que lo renueve.',
      }),
      notNeeded: (host) => `${host} está en este equipo y no necesita certificado.`,
      untrusted: (host, { kind, failing, cause, names }) => ({
        sentence: [
          `El certificado de ${host} no es de confianza: ${cause}.`,
          ...(failing === undefined
            ? []
            : [`El certificado afectado pertenece a ${failing.subject} y fue emitido por ${failing.issuer}.`]),
          ...(kind === 'otherHost' && names !== undefined ? [`Es válido para ${names}.`] : []),
        ].join(' '),
        advice: {
          ended:
            'Pide a los responsables del servicio que lo renueven. Si en realidad no ha caducado, pon en hora el reloj de este equipo.',
          early: 'Pon en hora el reloj de este equipo.',
          otherHost: 'Comprueba la dirección del servicio.',
          unknownIssuer:
            'Si tu empresa tiene su propia autoridad de certificación, pide a tu administrador que la añada al sistema o a los ajustes de Latchkey.',
          other: 'Muestra este informe a tu administrador.',
        }[kind],
      }),
      unreached: (host, cause) => ({
        sentence: `No se pudo establecer una conexión cifrada con ${host}: ${cause}.`,
        advice: 'Comprueba tu red, VPN o proxy, y la dirección.',
      }),
      link: (index, { subject, issuer, validFrom, validTo }, daysLeft) =>
        `${index}: ${subject}; emitido por ${issuer}; válido desde el ${on(validFrom)}, ${ends(validTo, daysLeft)}`,
    },

    browser: {
      good: (host) => `El inicio de sesión en el navegador abre una página de ${host}.`,
      waiting: (host) => `Latchkey espera a que termines de iniciar sesión en el navegador, en una página de ${host}.`,
      notFound: (host, cause) => ({
        sentence: `No se encuentra la página de inicio de sesión de ${host}: ${cause}.`,
        advice: 'Comprueba con tu administrador la dirección del proveedor y los ajustes del cliente.',
      }),
      refused: (host, cause) => ({
        sentence: `${host} no acepta los ajustes de Latchkey: ${cause}.`,
        advice:
          'Compara el ID de cliente, el secreto de cliente, el scope y el audience con el registro del cliente en el proveedor.',
      }),
      errorPage: (host, status, redirect) => ({
        sentence: `${host} responde con un error a un inicio de sesión (HTTP ${status}).`,
        advice: `Comprueba el ID de cliente y que esta dirección de redirección (si no indica puerto, con cualquiera) esté registrada allí: ${redirect}`,
      }),
      guessed: (host) => ({
        sentence: `${host} no tiene configuración OpenID en esta dirección, así que Latchkey supone dónde está su página de inicio de sesión.`,
        advice:
          'Comprueba la dirección del proveedor (authUrl): sin configuración solo funcionan /authorize y /oauth/token por debajo de ella. Al cerrar sesión no se puede revocar allí el token de actualización.',
      }),
      noRefresh: (host, cause) => ({
        sentence: `${host} probablemente no permitirá mantener la sesión: no ofrece tokens de actualización a este cliente (${cause}).`,
        advice:
          'Permite allí los tokens de actualización para este cliente. Si no, habrá que iniciar sesión de nuevo cuando caduque el token de acceso.',
      }),
      portTaken: (cause) => ({
        sentence: `El inicio de sesión en el navegador no puede usar su puerto (${cause}).`,
        advice: 'Cierra el programa que usa el puerto o pide otro redirectPort a tu administrador.',
      }),
    },

    service: {
      good: (host, status) => `${host} responde (HTTP ${status}).`,
      unreached: (host, cause) => ({
        sentence: `No se puede conectar con ${host}: ${cause}.`,
        advice: 'Comprueba tu red, VPN o proxy, y la dirección.',
      }),
      closed: (host, cause) => ({
        sentence: `No se puede conectar con ${host}: ${cause}.`,
        advice:
          'Nada responde en esta dirección y este puerto. Comprueba que estén bien escritos y, después, pregunta si el servicio está en marcha.',
      }),
      unencrypted: (host, cause) => ({
        sentence: `${host} ha respondido sin cifrar: ${cause}.`,
        advice: 'Comprueba el puerto. Si el servicio está en este equipo, empieza la dirección por http://.',
      }),
      ill: (host, status) => ({
        sentence: `${host} responde con un error (HTTP ${status}).`,
        advice: 'Inténtalo más tarde. Si el problema continúa, avisa a los responsables del servicio.',
      }),
      redirects: (host, status) => ({
        sentence: `${host} redirige (HTTP ${status}) y Latchkey no sigue redirecciones.`,
        advice:
          'Comprueba la dirección del servicio: quizá falta la ruta, o se interpone la página de inicio de sesión de una red.',
      }),
      page: (host) => ({
        sentence: `Ha respondido una página web en lugar de ${host}.`,
        advice:
          'Comprueba la dirección del servicio. Si la red tiene una página de inicio de sesión, abre un navegador e inicia sesión allí; detrás del proxy de una empresa, consulta a tu administrador.',
      }),
      notThere: (host) => ({
        sentence: `${host} responde, pero en esta dirección no se puede iniciar sesión (HTTP 404).`,
        advice: 'Comprueba la dirección del servicio: quizá falta la ruta.',
      }),
      tooMany: (host) => ({
        sentence: `${host} está limitando las solicitudes (HTTP 429).`,
        advice: 'Espera unos minutos.',
      }),
      unasked: (host, status) => ({
        sentence: `${host} ha aceptado un inicio de sesión sin credenciales (HTTP ${status}).`,
        advice: 'Comprueba la dirección del servicio: tu servicio lo habría rechazado.',
      }),
    },

    clock: {
      good: (host) => `El reloj de este equipo coincide con el de ${host}.`,
      unknown: (host) => ({
        sentence: `${host} no envió la hora.`,
        advice: 'Compara el reloj de este equipo con otro.',
      }),
      wrong: (by, isAhead, host) => ({
        sentence: `El reloj de este equipo va ${format.span(by)} ${isAhead ? 'por delante' : 'por detrás'} del de ${host}.`,
        advice: 'Deja que el sistema ajuste la hora automáticamente.',
      }),
    },

    keychain: {
      works: `Latchkey puede guardar, leer y borrar una entrada en ${keychain.tu}.`,
      otherEntry: (name) =>
        `La entrada «${name}» pertenece a otro equipo, o a este antes de que cambiara su identificador o se moviera la carpeta de los ajustes. Si ningún Latchkey usa ya la entrada, bórrala.`,
      locked: {
        sentence: `${keychain.Tu} está bloqueado.`,
        advice: system === 'windows' ? keychain.unlock : 'Desbloquéalo y vuelve a comprobar.',
      },
      uncreated: {
        sentence: 'Aún no hay un depósito de claves predeterminado.',
        advice:
          'El entorno de escritorio te pide que crees uno cuando inicias sesión en Latchkey. Si no lo hace, crea uno en su aplicación de contraseñas y claves, y hazlo predeterminado.',
      },
      failing: (cause) => ({
        sentence: `${keychain.Tu} responde con un error: ${cause}.`,
        advice:
          'Cierra la sesión del equipo y vuelve a iniciarla. Mientras dure el error, tu sesión termina cuando sales de Latchkey.',
      }),
      absent: (cause) => ({
        sentence: `${keychain.none}: ${cause}.`,
        advice:
          'Instala e inicia uno que ofrezca el Secret Service, como GNOME Keyring o KWallet. Sin él, tu sesión termina cuando sales de Latchkey.',
      }),
    },

    agent: {
      offBy: (source) => `Desactivado, ${sources[source]}: las herramientas no reciben tokens de acceso.`,
      off: `Desactivado en ${keychain.settings} → Este equipo: las herramientas no reciben tokens de acceso.`,
      good: (socket) => `El agente está activo en ${socket} y solo tú puedes usarlo.`,
      pipe: (file) => `La canalización del agente figura en ${file}.`,
      notServing: (path) => ({
        sentence: `El agente no está activo en ${path}.`,
        advice: 'Abre Latchkey si no está abierto.',
      }),
      foreign: (path) => ({
        sentence: `${path} pertenece a otro usuario.`,
        advice: 'Pide a tu administrador que lo quite o asigna otra ruta a LATCHKEY_SOCKET.',
      }),
      open: (path, mode) => ({
        sentence: `Otros usuarios pueden usar ${path} (modo ${mode}).`,
        advice:
          'Sal de Latchkey, quita los permisos a los demás (0700 para la carpeta, 0600 para el socket) y ábrelo de nuevo.',
      }),
      visible: (path, mode) => ({
        sentence: `El agente está activo, pero otros usuarios pueden ver el contenido de su carpeta ${path} (modo ${mode}).`,
        advice: 'Pon el modo de la carpeta en 0700.',
      }),
      notASocket: (path) => ({
        sentence: `${path} no es un socket.`,
        advice: 'Muévelo o asigna otra ruta a LATCHKEY_SOCKET.',
      }),
      pathTooLong: (path) => ({
        sentence: `La ruta del agente es demasiado larga para un socket: ${path}.`,
        advice: 'Asigna a LATCHKEY_SOCKET una ruta de 103 bytes como máximo.',
      }),
      pathNotAbsolute: {
        sentence: 'LATCHKEY_SOCKET no es una ruta absoluta.',
        advice: 'Asígnale una ruta absoluta.',
      },
    },

    gateway: {
      good: (address) => `Las herramientas pueden usar la pasarela en ${address}.`,
      notRunning: (address) => ({
        sentence: `La pasarela no está activa en ${address}.`,
        advice: 'Abre Latchkey si no está abierto.',
      }),
      portTaken: (port) => ({
        sentence: `Otro programa usa el puerto de la pasarela, ${port}.`,
        advice:
          'Cierra ese programa o elige otro puerto de la pasarela en Latchkey. Si no conoces el programa, crea otra contraseña de la pasarela: puede que tus herramientas le hayan enviado la anterior.',
      }),
      noPassword: (address) => ({
        sentence: `La pasarela de ${address} aún no tiene contraseña y rechaza todas las herramientas.`,
        advice: 'Ejecuta latchkey gateway --new-password y escribe la contraseña en tu herramienta.',
      }),
      proxied: (address, proxy) => ({
        sentence: `Las herramientas envían las solicitudes para ${address} a un proxy (${proxy}).`,
        advice: 'Añade 127.0.0.1 a NO_PROXY o a las excepciones del proxy del sistema.',
      }),
    },

    tray: {
      present: 'El entorno de escritorio muestra iconos en la bandeja.',
      absent: {
        sentence: 'El entorno de escritorio no tiene bandeja del sistema.',
        advice: 'Latchkey funciona sin ella. Para tener un icono, activa la extensión AppIndicator de tu escritorio.',
      },
      unknown: {
        sentence: 'El entorno de escritorio no dice si tiene bandeja.',
        advice: 'Si ves el icono de Latchkey, todo funciona.',
      },
    },
  }
}
