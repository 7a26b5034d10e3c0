/** English: the details that an administrator asks for. */
import type { CauseWords } from '../cause.ts'
import type { Format } from '../format.ts'

const causes: CauseWords = {
  known: {
    ENOTFOUND: 'no such host',
    EAI_AGAIN: 'the name server didn’t answer',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was cut',
    EPIPE: 'the connection was cut',
    ETIMEDOUT: 'no answer in time',
    ENETUNREACH: 'no way to the network',
    EHOSTUNREACH: 'no way to the host',
    EPROTO: 'no encrypted connection came about',
    CERT_HAS_EXPIRED: 'the certificate has expired',
    CERT_NOT_YET_VALID: 'the certificate isn’t valid yet: is this desktop’s clock right?',
    CERT_REVOKED: 'the certificate was revoked',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
    SELF_SIGNED_CERT_IN_CHAIN: 'an issuer of the certificate is signed by itself',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of the certificate is unknown',
    UNABLE_TO_GET_ISSUER_CERT: 'the issuer of the certificate is unknown',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is unknown',
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
    'connect timeout': 'no connection in time',
    'request timeout': 'no whole answer in time',
    'request failed': 'the request failed',
    'proxy timeout': 'the proxy didn’t answer in time',
    'no answer from the proxy': 'the proxy gave no answer',
    'proxy credentials refused': 'the proxy doesn’t take the username and password that Latchkey has for it',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'the service wants a client certificate',
    ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED: 'the service wants a client certificate',
    'no TLS': 'no encrypted connection came about',
    'HTML answer': 'a web page came instead of an answer',
    'not a JSON object': 'the answer isn’t a JSON object',
    'content encoding': 'the answer is compressed in a way that wasn’t asked for',
    'answer over 256 KiB': 'the answer is larger than 256 KiB',
    redirect: 'the request was sent elsewhere, where Latchkey doesn’t follow',
    'session of another issuer': 'the session is from the identity provider’s earlier address',
  },
  about: {
    'redirect to': (where) => `the request was sent to ${where}, where Latchkey doesn’t follow`,
    'unsupported proxy authentication': (kinds) =>
      `the proxy asks for a sign-in that Latchkey doesn’t support (${kinds})`,
    'proxy answered': (status) => `the proxy refused the connection (HTTP ${status})`,
    field: (name) => `the answer’s field “${name}” is missing or wrong`,
  },
}

export const enDetails = (format: Format) => ({
  summary: 'Details',
  copy: 'Copy',
  copied: 'Copied.',
  selected: 'Selected: copy it with the keyboard.',
  operation: 'While',
  host: 'Asked',
  status: 'Answer',
  proxy: 'Proxy',
  certificate: 'Certificate of',
  issuer: 'Issued by',
  validity: 'Valid',
  validFromTo: (from: string, to: string) => `${format.timestamp(from)} to ${format.timestamp(to)}`,
  cause: 'Cause',
  at: 'Time',
  causes,
  /** What isn't listed is shown as it is. */
  operations: {
    login: 'signing in',
    refresh: 'renewing',
    logout: 'signing out',
    changePassword: 'changing the password',
    saveSettings: 'saving the settings',
  } as Readonly<Record<string, string>>,
})
