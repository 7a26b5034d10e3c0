import type { Texts } from '../en/index.ts'

export const esChallenge: Texts['challenge'] = {
  heading: 'Un paso más',
  choose: 'Elige cómo confirmar que eres tú.',
  lead: {
    app: 'Escribe el código que muestra tu aplicación de autenticación.',
    textMessage: 'Escribe el código del SMS.',
    phoneCall: 'Escribe el código de la llamada telefónica.',
    email: 'Escribe el código del correo electrónico.',
    push: 'Aprueba el inicio de sesión en tu teléfono.',
    recoveryCode: 'Escribe uno de tus códigos de recuperación. Cada uno sirve una sola vez.',
  },
  authenticators: {
    app: 'Aplicación de autenticación',
    textMessage: 'SMS',
    phoneCall: 'Llamada telefónica',
    email: 'Correo electrónico',
    push: 'Aprobación en el teléfono',
    recoveryCode: 'Código de recuperación',
  },
  usual: 'usado la última vez',
  waiting: 'Esperando tu aprobación…',
  endingIn: (end) => `que termina en ${end}`,
  newRecoveryCode: {
    heading: 'Tu nuevo código de recuperación',
    lead: 'Sustituye al que acabas de usar. Guárdalo en un lugar seguro: Latchkey solo lo muestra una vez.',
    label: 'Nuevo código de recuperación',
    copy: 'Copiar',
    keep: 'Ya lo he guardado',
  },
  browser: {
    heading: 'Termina de iniciar sesión en el navegador',
    lead: 'Tu navegador muestra la página de tu proveedor de identidad. Latchkey continúa automáticamente cuando termines allí.',
    again: 'Abrir de nuevo el navegador',
    waiting: 'Esperando a tu navegador…',
    errorPage: 'Si tu navegador muestra un error, enséñaselo a tu administrador.',
    consent: {
      heading: 'Una pregunta más en el navegador',
      lead: 'Tu proveedor de identidad pregunta si Latchkey puede mantener tu sesión iniciada. Si lo rechazas, la sesión dura hasta que caduque tu token de acceso.',
    },
  },
}
