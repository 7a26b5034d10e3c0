/** Español: qué ha impedido un inicio de sesión y qué hacer. */
import type { SignInProblems } from '../failures.ts'
import type { Asked } from '../sentence.ts'

const who = ({ host }: Asked): string => host ?? 'su proveedor de identidad'

export const esSignInProblems: SignInProblems = {
  stepExpired: () => ({
    title: 'Se ha agotado el tiempo.',
    body: 'Inicie sesión de nuevo: tiene diez minutos para este paso.',
  }),
  notEnrolled: (asked) => ({
    title: 'No ha configurado ningún segundo factor que Latchkey pueda usar.',
    body: `Configure una aplicación de autenticación en su cuenta de ${who(asked)} e inicie sesión de nuevo.`,
  }),
  noSecondFactor: (asked) => ({
    title: `Latchkey no puede pedir el segundo factor de ${who(asked)}.`,
    body: 'Pida a su administrador que lo permita o que configure el inicio de sesión en el navegador.',
  }),
  approvalRefused: () => ({
    title: 'El inicio de sesión se ha rechazado en su teléfono.',
    body: 'Si ha sido usted, inicie sesión de nuevo. Si no, avise a su administrador.',
  }),
  codeLength: () => ({
    title: 'El código está incompleto.',
    body: 'Introduzca los seis u ocho dígitos que muestra su aplicación.',
  }),
}
