/** German: the details that an administrator asks for. */
import type { CauseWords } from '../cause.ts'
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

const causes: CauseWords = {
  known: {
    ENOTFOUND: 'diesen Host gibt es nicht',
    EAI_AGAIN: 'der Namensserver hat nicht geantwortet',
    ECONNREFUSED: 'die Verbindung wurde abgelehnt',
    ECONNRESET: 'die Verbindung wurde abgebrochen',
    EPIPE: 'die Verbindung wurde abgebrochen',
    ETIMEDOUT: 'keine Antwort in der Zeit',
    ENETUNREACH: 'kein Weg ins Netz',
    EHOSTUNREACH: 'kein Weg zum Host',
    EPROTO: 'es kam keine verschlüsselte Verbindung zustande',
    CERT_HAS_EXPIRED: 'das Zertifikat ist abgelaufen',
    CERT_NOT_YET_VALID: 'das Zertifikat gilt noch nicht: Geht die Uhr dieses Computers richtig?',
    CERT_REVOKED: 'das Zertifikat wurde widerrufen',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'das Zertifikat ist von sich selbst unterschrieben',
    SELF_SIGNED_CERT_IN_CHAIN: 'ein Aussteller des Zertifikats ist von sich selbst unterschrieben',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'der Aussteller des Zertifikats ist unbekannt',
    UNABLE_TO_GET_ISSUER_CERT: 'der Aussteller des Zertifikats ist unbekannt',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'der Aussteller des Zertifikats ist unbekannt',
    ERR_TLS_CERT_ALTNAME_INVALID: 'das Zertifikat ist für einen anderen Host',
    'connect timeout': 'keine Verbindung in der Zeit',
    'request timeout': 'keine vollständige Antwort in der Zeit',
    'request failed': 'die Anfrage ist gescheitert',
    'proxy timeout': 'der Proxy hat nicht rechtzeitig geantwortet',
    'no answer from the proxy': 'der Proxy hat nicht geantwortet',
    'proxy credentials refused': 'der Proxy nimmt Benutzername und Passwort nicht an, die Latchkey für ihn hat',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'der Dienst verlangt ein Client-Zertifikat',
    ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED: 'der Dienst verlangt ein Client-Zertifikat',
    'no TLS': 'es kam keine verschlüsselte Verbindung zustande',
    'HTML answer': 'statt einer Antwort kam eine Webseite',
    'not a JSON object': 'die Antwort ist kein JSON-Objekt',
    'content encoding': 'die Antwort ist auf eine Art gepackt, die nicht verlangt war',
    'answer over 256 KiB': 'die Antwort ist größer als 256 KiB',
    redirect: 'die Anfrage wurde umgeleitet; Latchkey folgt dem nicht',
    'session of another issuer': 'die Sitzung stammt von der früheren Adresse des Identitätsanbieters',
  },
  about: {
    'redirect to': (where) => `die Anfrage wurde nach ${where} umgeleitet; Latchkey folgt dem nicht`,
    'unsupported proxy authentication': (kinds) =>
      `der Proxy verlangt eine Anmeldung, die Latchkey nicht unterstützt (${kinds})`,
    'proxy answered': (status) => `der Proxy hat die Verbindung abgelehnt (HTTP ${status})`,
    field: (name) => `das Feld „${name}“ der Antwort fehlt oder ist falsch`,
  },
}

export const deDetails = (format: Format): Texts['details'] => ({
  summary: 'Einzelheiten',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  selected: 'Ausgewählt: Kopieren Sie es mit der Tastatur.',
  operation: 'Beim',
  host: 'Gefragt',
  status: 'Antwort',
  proxy: 'Proxy',
  certificate: 'Zertifikat von',
  issuer: 'Ausgestellt von',
  validity: 'Gültig',
  validFromTo: (from, to) => `${format.timestamp(from)} bis ${format.timestamp(to)}`,
  cause: 'Ursache',
  at: 'Zeit',
  causes,
  operations: {
    login: 'Anmelden',
    refresh: 'Erneuern',
    logout: 'Abmelden',
    changePassword: 'Ändern des Passworts',
    saveSettings: 'Speichern der Einstellungen',
  },
})
