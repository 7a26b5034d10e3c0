import type { Texts } from '../en/index.ts'
import type { Format } from '../format.ts'
import type { EsKeychain } from './keychain.ts'

export const esSessionEnd = (format: Format, keychain: EsKeychain): Texts['sessionEnd'] => ({
  until: (at, now, by) =>
    `Tu sesión sigue abierta hasta ${format.moment(at, now)} aproximadamente, ${
      {
        service: 'según tu servicio',
        identityProvider: 'según tu proveedor de identidad',
        earlierSessions: 'como tus últimas sesiones',
      }[by]
    }.`,
  atLeast: (at, now) => `Tu sesión sigue abierta al menos hasta ${format.moment(at, now)}.`,
  noLimit: 'Tu sesión sigue abierta: tu proveedor de identidad no pone límite.',
  notKnown: (by) =>
    `Tu ${by === 'service' ? 'servicio' : 'proveedor de identidad'} no indica cuándo termina tu sesión.`,
  soon: (at, now) => `Fin aproximado de tu sesión: ${format.moment(at, now)}`,
  soonBody: (by) =>
    `${
      {
        service: 'Así lo indica tu servicio',
        identityProvider: 'Así lo indica tu proveedor de identidad',
        earlierSessions: 'Es lo que duraron tus últimas sesiones',
      }[by]
    }. Inicia sesión de nuevo antes y tus herramientas seguirán funcionando.`,
  notification: (host, at, now) => ({
    title: 'Tu sesión termina pronto',
    body: `Fin aproximado de tu sesión en ${host ?? 'tu servicio'}: ${format.moment(at, now)}. Inicia sesión de nuevo antes y tus herramientas seguirán funcionando.`,
  }),
  whatEnds: {
    heading: 'Qué pone fin a tu sesión',
    ends: [
      'Cierras sesión, aquí o con latchkey sign-out.',
      'Inicias sesión como otra persona o quitas la conexión.',
      `Sales de Latchkey sin que la sesión esté guardada en ${keychain.tu}.`,
      'La sesión llega al límite que pone tu servicio o tu proveedor de identidad.',
      'Tu contraseña se cambia en otro lugar y el proveedor cierra todas las sesiones.',
      'Tu administrador quita la conexión.',
      `Su entrada se borra de ${keychain.tu} mientras Latchkey no está abierto.`,
    ],
    keepsHeading: 'Qué no le pone fin',
    keeps: [
      `Cerrar la ventana, o salir de Latchkey si la sesión está guardada en ${keychain.tu}.`,
      `Cerrar la sesión del equipo o reiniciarlo, si la sesión está guardada en ${keychain.tu}.`,
      'La suspensión. Pero muchos proveedores cierran una sesión que no se renueva durante mucho tiempo.',
      'Un corte de la red, de la VPN o del servicio, aunque dure horas.',
      'Cambiar tu contraseña en Latchkey.',
    ],
  },
})
