import type { ServerRole, SignInProblems } from '../sentence.ts'

const who = ({ host }: ServerRole): string => host ?? 'tu proveedor de identidad'

export const esSignInProblems: SignInProblems = {
  stepExpired: () => ({
    title: 'Se ha agotado el tiempo.',
    body: 'Inicia sesión de nuevo: tienes diez minutos para este paso.',
  }),
  stepRefused: (asked) => ({
    title: `${asked.host ?? 'Tu proveedor de identidad'} ha dado por terminado este inicio de sesión.`,
    body: 'Inicia sesión de nuevo. Si vuelve a ocurrir, enseña los detalles a tu administrador.',
  }),
  accountBlocked: ({ host }) => ({
    title: `Tu cuenta en ${host ?? 'tu proveedor de identidad'} está bloqueada.`,
    body: 'Sigue el mensaje que quizá hayas recibido de allí. Si no, pide a tu administrador que la desbloquee.',
  }),
  singleSignOnOnly: () => ({
    title: 'Tu cuenta usa el inicio de sesión único.',
    body: 'Elige abajo el inicio de sesión único y usa tu cuenta de empresa. Si no aparece, pregunta a tu administrador.',
  }),
  notEnrolled: (asked) => ({
    title: 'No has configurado ningún segundo factor que Latchkey pueda usar.',
    body: `Configura una aplicación de autenticación en tu cuenta de ${who(asked)} e inicia sesión de nuevo.`,
  }),
  noSecondFactor: (asked) => ({
    title: `${asked.host ?? 'Tu proveedor de identidad'} no permite que Latchkey pida tu segundo factor.`,
    body: 'Pide a tu administrador que lo permita o que configure el inicio de sesión en el navegador.',
  }),
  approvalRefused: () => ({
    title: 'El inicio de sesión se ha rechazado en tu teléfono.',
    body: 'Si has sido tú, inicia sesión de nuevo. Si no, avisa a tu administrador.',
  }),
  codeLength: () => ({
    title: 'El código no tiene la longitud correcta.',
    body: 'Escribe las seis u ocho cifras que muestra tu aplicación.',
  }),
  browserUnavailable: () => ({
    title: 'El navegador no se ha abierto.',
    body: 'Comprueba que este equipo tiene un navegador predeterminado e inténtalo de nuevo.',
  }),
  openedLately: (_, wait) => ({ title: 'Latchkey acaba de abrir tu navegador.', body: wait }),
  browserTimeout: () => ({
    title: 'El inicio de sesión en el navegador ha tardado demasiado.',
    body: 'Inténtalo de nuevo: tienes cinco minutos. Si tu navegador muestra un error, enséñaselo a tu administrador.',
  }),
  consentDenied: ({ host }) => ({
    title: `${host ?? 'Tu proveedor de identidad'} no ha permitido el inicio de sesión.`,
    body: 'Si lo has rechazado por error, inténtalo de nuevo. Si no, consulta a tu administrador.',
  }),
  browserRefused: () => ({
    title: 'Tu proveedor de identidad no ha aceptado el inicio de sesión del navegador.',
    body: 'Inténtalo de nuevo. Si se repite, muestra los detalles a tu administrador.',
  }),
  answerRefused: () => ({
    title: 'Latchkey no ha podido verificar la respuesta de tu proveedor de identidad.',
    body: 'No has iniciado sesión. Inténtalo de nuevo. Si se repite, muestra los detalles a tu administrador.',
  }),
  portTaken: () => ({
    title: 'Otro programa usa el puerto del inicio de sesión en el navegador.',
    body: 'Cierra ese programa o pide otro puerto a tu administrador.',
  }),
  otherSignIn: () => ({
    title: 'Ya hay otro inicio de sesión abierto en tu navegador.',
    body: 'Termínalo en el navegador, o elige su conexión en Latchkey y cancélalo allí. Después inténtalo de nuevo.',
  }),
  recoveryCodeUnderWay: () => ({
    title: 'Termina primero el inicio de sesión con tu código de recuperación.',
    body: 'Guarda el nuevo código de recuperación si recibes uno. Después, inténtalo de nuevo.',
  }),
}
