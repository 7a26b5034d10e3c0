/** Spanish: the sentences for each failure, by the operation that failed. */
import type { FailureWords } from '../failures.ts'
import type { Format } from '../format.ts'
import type { Asked } from '../sentence.ts'
import { esSignInProblems } from './sign-in-problems.ts'

const KEPT = 'Tu sesión se conserva.'
const UNCHANGED = 'La contraseña no ha cambiado.'
const UNSURE = 'Si la contraseña anterior ya no funciona, la nueva sí.'
const SHOW = 'Muestra los detalles a tu administrador.'
const NOTHING_SENT = `No se ha enviado nada. ${SHOW}`
const NETWORK = 'Comprueba tu red o VPN e inténtalo otra vez.'

const who = ({ host, issuer }: Asked): string =>
  host ?? (issuer === 'identityProvider' ? 'tu proveedor de identidad' : 'tu servicio')

export const esFailures = (format: Format): FailureWords => ({
  kept: KEPT,
  turnedAway: (asked) => ({
    title: `La petición fue rechazada por ${who(asked)}.`,
    body: 'Comprueba la dirección e inténtalo otra vez.',
  }),
  wrongPassword: {
    service: {
      title: 'El nombre de usuario o la contraseña no son correctos.',
      body: 'Comprueba ambos e inténtalo otra vez.',
    },
    identityProvider: {
      title: 'El nombre de usuario o la contraseña no son correctos.',
      body: 'Usa los de tu cuenta de empresa. Comprueba ambos e inténtalo otra vez.',
    },
  },
  wrongCode: { title: 'El código fue rechazado.', body: 'Compruébalo e inténtalo otra vez.' },
  signIn: esSignInProblems,
  ended: {
    settings: {
      title: 'Tu sesión ha terminado.',
      body: 'Tus herramientas no podrán obtener un token hasta que inicies sesión.',
    },
    signIn: { title: 'El inicio de sesión se interrumpió.', body: 'Inicia sesión otra vez.' },
    session: {
      title: 'Tu sesión ha terminado.',
      body: 'Tus herramientas no podrán obtener un token hasta que inicies sesión.',
    },
    changePassword: { title: 'Tu sesión ha terminado.', body: `${UNCHANGED} Primero inicia sesión otra vez.` },
  },
  otherIssuer: {
    title: 'El inicio único ha cambiado de dirección.',
    body: 'Inicia sesión otra vez. Hasta entonces, tu sesión anterior se conserva por si vuelve la dirección.',
  },
  hasToWait: (asked) => `Latchkey tiene que esperar a ${who(asked)}.`,
  tooManyTries: (asked) => `Hubo demasiados intentos en ${who(asked)}.`,
  waitThenTryAgain: (ms) => `Espera ${ms === undefined ? 'un poco' : format.wait(ms)} e inténtalo otra vez.`,
  unchanged: UNCHANGED,
  unreachable: {
    title: (asked) => `Latchkey no puede conectar con ${who(asked)}.`,
    body: {
      settings: 'Comprueba la dirección y tu red e inténtalo otra vez.',
      signIn: NETWORK,
      session: KEPT,
      changePassword: `${NETWORK} ${UNSURE}`,
    },
  },
  noSuchHost: {
    title: (asked) => `Latchkey no encuentra ${who(asked)}.`,
    body: 'Revisa cómo está escrito. Si es correcto, quizá tu red no conozca ese servidor: conéctate a tu VPN o continúa sin comprobarlo.',
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
      settings: 'Inicia sesión en el proxy e inténtalo otra vez.',
      signIn: 'Inicia sesión en el proxy e inténtalo otra vez.',
      session: `${KEPT} Inicia sesión en el proxy y Latchkey continúa.`,
      changePassword: 'Inicia sesión en el proxy e inténtalo otra vez.',
    },
  },
  proxyUnsupported: {
    title: 'El proxy de tu red pide un inicio de sesión que Latchkey no admite.',
    body: `Latchkey no puede iniciar sesión en un proxy con Kerberos ni NTLM. ${SHOW}`,
  },
  malformed: {
    title: (asked) => `Latchkey no entiende la respuesta de ${who(asked)}.`,
    body: {
      settings: 'Comprueba la dirección o pregunta a tu administrador.',
      signIn: 'Comprueba la dirección del servicio o pregunta a tu administrador.',
      session: `${KEPT} Si continúa, pregunta a tu administrador.`,
      changePassword: `${UNSURE} Pregunta a tu administrador.`,
    },
    ssoSignIn: 'Inténtalo otra vez o pregunta a tu administrador.',
  },
  wrongCurrentPassword: {
    title: 'La contraseña actual no es correcta.',
    body: `${UNCHANGED} Compruébala e inténtalo otra vez.`,
  },
  passwordRefused: { title: 'La contraseña nueva fue rechazada.', body: 'Elige otra.' },
  oneMoreStep: {
    title: {
      service: 'Tu servicio pide un paso más.',
      identityProvider: 'Tu proveedor de identidad pide un paso más.',
    },
    body: {
      settings: 'Latchkey no lo admite. Pide otra forma a tu administrador.',
      signIn: 'Latchkey no lo admite. Pide otra forma a tu administrador.',
      session: `${KEPT} Si continúa, cierra la sesión e iníciala otra vez.`,
      changePassword: 'Latchkey no lo admite. Pide otra forma a tu administrador.',
    },
  },
  keychain: {
    title: 'Tu llavero no responde.',
    body: {
      settings: 'Desbloquéalo e inténtalo otra vez.',
      signIn: 'Desbloquéalo e inténtalo otra vez.',
      session: `${KEPT} Desbloquea el llavero y Latchkey continúa.`,
      changePassword: 'Desbloquéalo e inténtalo otra vez.',
    },
  },
  passwordOfProvider: {
    title: 'Latchkey no puede cambiar esta contraseña.',
    body: 'Depende de tu proveedor de identidad: cámbiala allí.',
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
    title: 'El inicio único ya no está configurado.',
    body: 'Inicia sesión con tu contraseña o pregunta a tu administrador.',
  },
  ssoNotSetUp: {
    title: 'El inicio único no está configurado.',
    body: 'Usa tu contraseña o pregunta a tu administrador.',
  },
  noService: { title: 'Latchkey aún no conoce tu servicio.', body: 'Escribe primero su dirección.' },
  notConfirmed: {
    title: 'No has confirmado el cambio, así que no se ha guardado nada.',
    body: 'Vuelve a intentarlo y confirma el cambio en el cuadro de diálogo.',
  },
  inputs: {
    settings: {
      any: { title: 'Estos ajustes no sirven.', body: 'Comprueba lo que has escrito e inténtalo otra vez.' },
      tooLong: { title: 'Aquí hay algo demasiado largo.', body: 'Busca texto pegado por error.' },
    },
    signIn: {
      any: {
        title: 'Ese nombre de usuario o esa contraseña no se pueden enviar.',
        body: 'Comprueba ambos e inténtalo otra vez.',
      },
      empty: {
        title: 'Falta el nombre de usuario o la contraseña.',
        body: 'Escribe ambos e inténtalo otra vez.',
      },
      tooLong: {
        title: 'Ese nombre de usuario o esa contraseña es demasiado larga.',
        body: 'Busca texto pegado por error e inténtalo otra vez.',
      },
      inexpressible: {
        title: 'Ese nombre de usuario o esa contraseña no se pueden enviar.',
        body: 'Busca un salto de línea o un tabulador pegado por error e inténtalo otra vez.',
      },
      username: {
        title: 'Ese nombre de usuario no se puede enviar.',
        body: 'Busca dos puntos, un salto de línea o un tabulador e inténtalo otra vez.',
      },
      password: {
        title: 'Esa contraseña no se puede enviar.',
        body: 'Busca un salto de línea o un tabulador pegado por error e inténtalo otra vez.',
      },
    },
    challenge: {
      any: { title: 'Eso no se puede enviar.', body: 'Comprueba lo que has escrito e inténtalo otra vez.' },
    },
    changePassword: {
      any: { title: 'Esa contraseña no sirve.', body: 'Elige otra.' },
      currentPassword: {
        title: 'Esa no puede ser tu contraseña actual.',
        body: 'Busca un salto de línea o un tabulador pegado por error e inténtalo otra vez.',
      },
      empty: { title: 'Falta la contraseña nueva.', body: 'Escríbela dos veces e inténtalo otra vez.' },
      tooLong: { title: 'Esa contraseña es demasiado larga.', body: 'Elige una de 4096 caracteres como máximo.' },
      inexpressible: {
        title: 'No podrías iniciar sesión con esa contraseña.',
        body: 'Busca un salto de línea o un tabulador pegado por error y elige una sin ellos.',
      },
    },
  },
})
