/** Spanish: the details that an administrator asks for. */
import type { CauseWords } from '../cause.ts'
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

const causes: CauseWords = {
  known: {
    ENOTFOUND: 'ese host no existe',
    EAI_AGAIN: 'el servidor de nombres no respondió',
    ECONNREFUSED: 'la conexión fue rechazada',
    ECONNRESET: 'la conexión se cortó',
    EPIPE: 'la conexión se cortó',
    ETIMEDOUT: 'sin respuesta a tiempo',
    ENETUNREACH: 'sin camino a la red',
    EHOSTUNREACH: 'sin camino al host',
    EPROTO: 'no se pudo establecer una conexión cifrada',
    CERT_HAS_EXPIRED: 'el certificado ha caducado',
    CERT_NOT_YET_VALID: 'el certificado aún no es válido: ¿va bien el reloj de este equipo?',
    CERT_REVOKED: 'el certificado fue revocado',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'el certificado está firmado por sí mismo',
    SELF_SIGNED_CERT_IN_CHAIN: 'un emisor del certificado está firmado por sí mismo',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no se conoce al emisor del certificado',
    UNABLE_TO_GET_ISSUER_CERT: 'no se conoce al emisor del certificado',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'no se conoce al emisor del certificado',
    ERR_TLS_CERT_ALTNAME_INVALID: 'el certificado es de otro host',
    'connect timeout': 'sin conexión a tiempo',
    'request timeout': 'sin respuesta completa a tiempo',
    'request failed': 'la petición falló',
    'proxy timeout': 'el proxy no respondió a tiempo',
    'no answer from the proxy': 'el proxy no respondió',
    'proxy credentials refused': 'el proxy no acepta el nombre y la contraseña que Latchkey tiene para él',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'el servicio pide un certificado de cliente',
    ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED: 'el servicio pide un certificado de cliente',
    'no TLS': 'no se pudo establecer una conexión cifrada',
    'HTML answer': 'llegó una página web en vez de una respuesta',
    'not a JSON object': 'la respuesta no es un objeto JSON',
    'content encoding': 'la respuesta viene comprimida de un modo que no se pidió',
    'answer over 256 KiB': 'la respuesta pasa de 256 KiB',
    redirect: 'la petición fue enviada a otro sitio, adonde Latchkey no va',
    'session of another issuer': 'la sesión es de la dirección anterior del proveedor de identidad',
  },
  about: {
    'redirect to': (where) => `la petición fue enviada a ${where}, adonde Latchkey no va`,
    'unsupported proxy authentication': (kinds) =>
      `el proxy pide un inicio de sesión que Latchkey no admite (${kinds})`,
    'proxy answered': (status) => `el proxy rechazó la conexión (HTTP ${status})`,
    field: (name) => `el campo «${name}» de la respuesta falta o es incorrecto`,
  },
}

export const esDetails = (format: Format): Texts['details'] => ({
  summary: 'Detalles',
  copy: 'Copiar',
  copied: 'Copiado.',
  selected: 'Seleccionado: cópialo con el teclado.',
  operation: 'Durante',
  host: 'Preguntado a',
  status: 'Respuesta',
  proxy: 'Proxy',
  certificate: 'Certificado de',
  issuer: 'Emitido por',
  validity: 'Válido',
  validFromTo: (from, to) => `del ${format.timestamp(from)} al ${format.timestamp(to)}`,
  cause: 'Causa',
  at: 'Hora',
  causes,
  operations: {
    login: 'el inicio de sesión',
    refresh: 'la renovación',
    logout: 'el cierre de sesión',
    changePassword: 'el cambio de contraseña',
    saveSettings: 'el guardado de los ajustes',
  },
})
