/** French: the details that an administrator asks for. */
import type { CauseWords } from '../cause.ts'
import type { Format } from '../format.ts'
import type { Texts } from '../index.ts'

const causes: CauseWords = {
  known: {
    ENOTFOUND: 'cet hôte n’existe pas',
    EAI_AGAIN: 'le serveur de noms n’a pas répondu',
    ECONNREFUSED: 'la connexion a été refusée',
    ECONNRESET: 'la connexion a été coupée',
    EPIPE: 'la connexion a été coupée',
    ETIMEDOUT: 'pas de réponse à temps',
    ENETUNREACH: 'aucun chemin vers le réseau',
    EHOSTUNREACH: 'aucun chemin vers l’hôte',
    EPROTO: 'aucune connexion chiffrée n’a pu s’établir',
    CERT_HAS_EXPIRED: 'le certificat a expiré',
    CERT_NOT_YET_VALID: 'le certificat n’est pas encore valable : l’horloge de cet ordinateur est-elle juste ?',
    CERT_REVOKED: 'le certificat a été révoqué',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'le certificat est signé par lui-même',
    SELF_SIGNED_CERT_IN_CHAIN: 'un émetteur du certificat est signé par lui-même',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'l’émetteur du certificat est inconnu',
    UNABLE_TO_GET_ISSUER_CERT: 'l’émetteur du certificat est inconnu',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'l’émetteur du certificat est inconnu',
    ERR_TLS_CERT_ALTNAME_INVALID: 'le certificat est pour un autre hôte',
    'connect timeout': 'pas de connexion à temps',
    'request timeout': 'pas de réponse complète à temps',
    'request failed': 'la requête a échoué',
    'proxy timeout': 'le proxy n’a pas répondu à temps',
    'no answer from the proxy': 'le proxy n’a pas répondu',
    'proxy credentials refused': 'le proxy refuse le nom et le mot de passe que Latchkey a pour lui',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'le service demande un certificat client',
    ERR_SSL_TLSV1_ALERT_CERTIFICATE_REQUIRED: 'le service demande un certificat client',
    'no TLS': 'aucune connexion chiffrée n’a pu s’établir',
    'HTML answer': 'une page web est arrivée au lieu d’une réponse',
    'not a JSON object': 'la réponse n’est pas un objet JSON',
    'content encoding': 'la réponse est compressée d’une façon qui n’a pas été demandée',
    'answer over 256 KiB': 'la réponse dépasse 256 Kio',
    redirect: 'la requête a été renvoyée ailleurs, où Latchkey ne va pas',
    'session of another issuer': 'la session provient de l’ancienne adresse du fournisseur d’identité',
  },
  about: {
    'redirect to': (where) => `la requête a été renvoyée vers ${where}, où Latchkey ne va pas`,
    'unsupported proxy authentication': (kinds) =>
      `le proxy demande une connexion que Latchkey ne prend pas en charge (${kinds})`,
    'proxy answered': (status) => `le proxy a refusé la connexion (HTTP ${status})`,
    field: (name) => `le champ « ${name} » de la réponse manque ou est faux`,
  },
}

export const frDetails = (format: Format): Texts['details'] => ({
  summary: 'Détails',
  copy: 'Copier',
  copied: 'Copié.',
  selected: 'Sélectionné : copiez-le au clavier.',
  operation: 'Pendant',
  host: 'Demandé à',
  status: 'Réponse',
  proxy: 'Proxy',
  certificate: 'Certificat de',
  issuer: 'Émis par',
  validity: 'Valable',
  validFromTo: (from, to) => `du ${format.timestamp(from)} au ${format.timestamp(to)}`,
  cause: 'Cause',
  at: 'Heure',
  causes,
  operations: {
    login: 'la connexion',
    refresh: 'le renouvellement',
    logout: 'la déconnexion',
    changePassword: 'le changement du mot de passe',
    saveSettings: 'l’enregistrement des réglages',
  },
})
