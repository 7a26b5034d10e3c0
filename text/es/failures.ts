import type { FailureWords } from '../failures.ts'
import type { Format } from '../format.ts'
import type { ServerRole } from '../sentence.ts'
import type { EsKeychain } from './keychain.ts'
import { esSignInProblems } from './sign-in-problems.ts'

const GUEST_NETWORK =
  'Puede que tu red pida iniciar sesión antes. Abre cualquier página en tu navegador e inténtalo de nuevo.'
const KEPT = 'Tu sesión sigue abierta.'
const UNCHANGED = 'La contraseña no ha cambiado.'
const UNSURE = 'Si la contraseña anterior ya no funciona, usa la nueva.'
const SHOW = 'Muestra los detalles a tu administrador.'
const NOTHING_SENT = `No se ha enviado nada. ${SHOW}`
const NETWORK = 'Comprueba tu red o VPN e inténtalo de nuevo.'

const who = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'tu proveedor de identidad' : 'tu servicio')
const whoAtStart = ({ host, issuer }: ServerRole): string =>
  host ?? (issuer === 'identityProvider' ? 'Tu proveedor de identidad' : 'Tu servicio')

export const esFailures = (format: Format, keychain: EsKeychain): FailureWords => ({
  kept: KEPT,
  turnedAway: (asked) => ({
    title: `${whoAtStart(asked)} ha rechazado la solicitud.`,
    body: 'Comprueba la dirección e inténtalo de nuevo.',
  }),
  wrongPassword: {
    service: {
      title: 'El nombre de usuario o la contraseña no son correctos.',
      body: 'Comprueba ambos e inténtalo de nuevo.',
    },
    identityProvider: {
      title: 'El nombre de usuario o la contraseña no son correctos.',
      body: 'Usa los de tu cuenta de empresa. Comprueba ambos e inténtalo de nuevo.',
    },
  },
  wrongCode: { title: 'El código se ha rechazado.', body: 'Compruébalo e inténtalo de nuevo.' },
  signIn: esSignInProblems,
  ended: {
    settings: {
      title: 'Tu sesión ha terminado.',
      body: 'Tus herramientas no podrán obtener un token hasta que inicies sesión.',
    },
    signIn: { title: 'El inicio de sesión se interrumpió.', body: 'Inicia sesión de nuevo.' },
    session: {
      title: 'Tu sesión ha terminado.',
      body: 'Tus herramientas no podrán obtener un token hasta que inicies sesión.',
    },
    changePassword: { title: 'Tu sesión ha terminado.', body: `${UNCHANGED} Primero inicia sesión de nuevo.` },
  },
  otherIssuer: {
    title: 'El inicio de sesión único ha cambiado de dirección.',
    body: 'Inicia sesión de nuevo. Hasta entonces, tu sesión anterior se conserva por si vuelve la dirección antigua.',
  },
  otherClient: {
    title: 'Los ajustes del inicio de sesión único han cambiado.',
    body: 'Inicia sesión de nuevo. Hasta entonces, tu sesión anterior se conserva por si vuelve el ID de cliente antiguo.',
  },
  hasToWait: (asked) => `${whoAtStart(asked)} ha pedido a Latchkey que espere.`,
  tooManyTries: (asked) => `Demasiados intentos en ${who(asked)}.`,
  waitThenTryAgain: (ms) => `Espera ${ms === undefined ? 'un poco' : format.wait(ms)} e inténtalo de nuevo.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked) => `No se puede conectar con ${who(asked)}.`,
    body: {
      settings: 'Comprueba la dirección y tu red e inténtalo de nuevo.',
      signIn: NETWORK,
      session: KEPT,
      changePassword: `${NETWORK} ${UNSURE}`,
    },
  },
  unavailable: {
    title: (asked) => `${whoAtStart(asked)} no responde como debería.`,
    body: {
      settings: 'Comprueba la dirección o inténtalo de nuevo en unos minutos.',
      signIn: 'Inténtalo de nuevo en unos minutos. Si se repite, muestra los detalles a tu administrador.',
      session: KEPT,
      changePassword: `Inténtalo de nuevo en unos minutos. ${UNSURE}`,
    },
  },
  proxyAway: (proxy, variable) =>
    `El proxy ${proxy} (definido en ${variable ?? 'los ajustes del sistema'}) no responde.`,
  webPage: {
    title: (asked) => `Ha respondido una página web en lugar de ${who(asked)}.`,
    body: {
      settings: GUEST_NETWORK,
      signIn: GUEST_NETWORK,
      session: `${KEPT} Puede que tu red pida iniciar sesión: abre cualquier página en tu navegador.`,
      changePassword: `${GUEST_NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked) => `No se encuentra ${who(asked)}.`,
    body: {
      settings:
        'Revisa cómo está escrito. Si es correcto, conéctate a tu VPN e inténtalo de nuevo, o elige «Continuar de todos modos».',
      signIn: `Comprueba tu red o tu VPN. Si la dirección está mal escrita, corrígela en ${keychain.settings}.`,
    },
  },
  unencrypted: {
    title: (asked) => `${whoAtStart(asked)} ha respondido sin cifrar.`,
    body: 'Comprueba el puerto. Si el servicio está en este equipo, empieza la dirección por http://.',
  },
  untrusted: {
    title: (asked) => `Latchkey no confía en el certificado de ${who(asked)}.`,
    body: {
      settings: NOTHING_SENT,
      signIn: NOTHING_SENT,
      session: `${KEPT} ${SHOW}`,
      changePassword: NOTHING_SENT,
    },
  },
  proxy: {
    title: 'El proxy de tu red requiere que inicies sesión.',
    body: {
      settings: 'Inicia sesión en el proxy e inténtalo de nuevo.',
      signIn: 'Inicia sesión en el proxy e inténtalo de nuevo.',
      session: `${KEPT} Inicia sesión en el proxy para continuar.`,
      changePassword: 'Inicia sesión en el proxy e inténtalo de nuevo.',
    },
  },
  proxyUnsupported: {
    title: 'El proxy de tu red pide un inicio de sesión que Latchkey no admite.',
    body: `Aquí, Latchkey puede iniciar sesión en un proxy con una contraseña o con Kerberos. ${SHOW}`,
  },
  proxyKerberos: {
    title: 'El proxy de tu red pide un tique de Kerberos y no lo ha recibido.',
    body: `Inicia sesión en este equipo con tu cuenta de empresa o ejecuta kinit, e inténtalo de nuevo. Si no basta: ${SHOW}`,
  },
  malformed: {
    title: (asked) => `Latchkey no entiende la respuesta de ${who(asked)}.`,
    body: {
      settings: 'Comprueba la dirección o consulta a tu administrador.',
      signIn: 'Comprueba la dirección del servicio o consulta a tu administrador.',
      session: `${KEPT} Si el problema continúa, consulta a tu administrador.`,
      changePassword: `${UNSURE} Consulta a tu administrador.`,
    },
    ssoSignIn: 'Inténtalo de nuevo o consulta a tu administrador.',
  },
  wrongCurrentPassword: {
    title: 'La contraseña actual no es correcta.',
    body: `${UNCHANGED} Compruébala e inténtalo de nuevo.`,
  },
  passwordRefused: { title: 'La contraseña nueva se ha rechazado.', body: 'Elige otra.' },
  oneMoreStep: {
    title: {
      service: 'Tu servicio requiere un paso adicional.',
      identityProvider: 'Tu proveedor de identidad requiere un paso adicional.',
    },
    body: {
      settings: 'Latchkey no lo admite. Pide a tu administrador otra forma de iniciar sesión.',
      signIn: 'Latchkey no lo admite. Pide a tu administrador otra forma de iniciar sesión.',
      session: 'Inicia sesión de nuevo para continuar.',
      changePassword: 'Latchkey no lo admite. Pide a tu administrador otra forma de iniciar sesión.',
    },
  },
  keychain: {
    title: `${keychain.Tu} no responde.`,
    body: {
      settings: keychain.unlock,
      signIn: keychain.unlock,
      session: `${KEPT} ${keychain.unlock}`,
      changePassword: keychain.unlock,
    },
  },
  settingsUnwritable: {
    title: 'No se pueden guardar tus ajustes.',
    body: 'Puede que el disco esté lleno o protegido contra escritura. Libera espacio y vuelve a intentarlo.',
  },
  passwordOfProvider: {
    title: 'Latchkey no puede cambiar esta contraseña.',
    body: 'La gestiona tu proveedor de identidad: cámbiala allí.',
  },
  providerRefusesSettings: {
    title: 'Tu proveedor de identidad no acepta los ajustes de Latchkey.',
    body: {
      settings: `No es por tu contraseña. ${SHOW}`,
      signIn: `No es por tu contraseña. ${SHOW}`,
      session: `${KEPT} ${SHOW}`,
      changePassword: `No es por tu contraseña. ${SHOW}`,
    },
  },
  ssoGone: {
    title: 'El inicio de sesión único ya no está configurado.',
    body: 'Inicia sesión con tu contraseña o consulta a tu administrador.',
  },
  ssoNotSetUp: {
    title: 'El inicio de sesión único no está configurado.',
    body: 'Usa tu contraseña o consulta a tu administrador.',
  },
  noService: { title: 'Latchkey aún no conoce tu servicio.', body: 'Escribe primero su dirección.' },
  notConfirmed: {
    title: 'No se ha guardado nada.',
    body: 'Si no esperabas esa pregunta, avisa a tu administrador.',
  },
  justRefused: 'Acabas de rechazarlo.',
  inputs: {
    settings: {
      any: { title: 'Estos ajustes no son válidos.', body: 'Comprueba lo que has escrito e inténtalo de nuevo.' },
      tooLong: { title: 'Uno de los valores es demasiado largo.', body: 'Comprueba si has pegado texto por error.' },
    },
    signIn: {
      any: {
        title: 'El nombre de usuario o la contraseña no son válidos.',
        body: 'Comprueba ambos e inténtalo de nuevo.',
      },
      empty: {
        title: 'Falta el nombre de usuario o la contraseña.',
        body: 'Escribe ambos e inténtalo de nuevo.',
      },
      tooLong: {
        title: 'El nombre de usuario o la contraseña son demasiado largos.',
        body: 'Comprueba si has pegado texto por error e inténtalo de nuevo.',
      },
      inexpressible: {
        title: 'El nombre de usuario o la contraseña no son válidos.',
        body: 'Quita los saltos de línea y las tabulaciones e inténtalo de nuevo.',
      },
      username: {
        title: 'Ese nombre de usuario no es válido.',
        body: 'Quita los dos puntos, los saltos de línea y las tabulaciones e inténtalo de nuevo.',
      },
      password: {
        title: 'Una contraseña no puede tener saltos de línea ni tabulaciones.',
        body: 'Escribe de nuevo tu contraseña.',
      },
    },
    challenge: {
      any: { title: 'Lo que has escrito no se puede usar.', body: 'Compruébalo e inténtalo de nuevo.' },
    },
    changePassword: {
      any: { title: 'Esa contraseña no se puede usar.', body: 'Elige otra.' },
      currentPassword: {
        title: 'Esa no puede ser tu contraseña actual.',
        body: 'Quita los saltos de línea y las tabulaciones e inténtalo de nuevo.',
      },
      empty: { title: 'Falta la contraseña nueva.', body: 'Escríbela dos veces e inténtalo de nuevo.' },
      tooLong: { title: 'Esa contraseña es demasiado larga.', body: 'Elige una de 4096 caracteres como máximo.' },
      inexpressible: {
        title: 'Una contraseña no puede tener saltos de línea ni tabulaciones.',
        body: 'Elige otra.',
      },
    },
  },
})
