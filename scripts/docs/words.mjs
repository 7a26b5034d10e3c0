import { KINDS } from '../../contract/setting-rows.ts'

/**
 * The documentation's text about each setting. `page` goes into the table of docs/administrators.md, `schema` and
 * `examples` into docs/policy.schema.json. If a setting has no text, the type check fails.
 * @satisfies {Record<import('../../contract/settings.ts').ValueName, Words>}
 * @typedef {{ page: string, schema: string, examples?: readonly unknown[] }} Words
 */
export const WORDS = {
  baseAddress: {
    page: "the service's address: `https`, or `http` on the same computer",
    schema: "The service's address. No username, no query.",
    examples: ['https://data.example.com'],
  },
  displayName: {
    page: 'the name that the window shows for the connection, next to its host. If left out, the window shows the key under `connections`; for the default connection, it shows only the host',
    schema: 'The name that the window shows for the connection, next to its host.',
    examples: ['Data platform'],
  },
  authUrl: {
    page: "the identity provider's address. Single sign-on with a password also needs `scope`, `audience`, `clientId` and `clientSecret`; single sign-on in the browser also needs `scope` and `clientId`",
    schema:
      'The address of the identity provider. Single sign-on needs this, scope, audience, clientId and clientSecret; each can come from a different source.',
    examples: ['https://login.example.com'],
  },
  flow: {
    page: "how people sign in with single sign-on: with `password-realm` they type a password into the window; with `browser` they sign in at the provider, in the system's browser",
    schema:
      "How single sign-on signs in: with a password in Latchkey's window, or at the provider in the system's browser. In the browser, audience and clientSecret can be left out.",
  },
  providerDomain: {
    page: '`DOMAIN` in the grant type `http://DOMAIN/oauth/grant-type/password-realm`. If left out: the host of `authUrl`',
    schema: 'DOMAIN in the grant type http://DOMAIN/oauth/grant-type/password-realm. If left out: the host of authUrl.',
    examples: ['login.example.com'],
  },
  realm: {
    page: 'the realm of the users',
    schema: 'The realm of the users.',
  },
  scope: {
    page: 'the OAuth scope that Latchkey requests',
    schema: 'The OAuth scope that Latchkey requests from the identity provider.',
    examples: ['openid offline_access'],
  },
  audience: {
    page: 'the identifier of the data platform at the identity provider',
    schema: 'The identifier of the data platform at the identity provider.',
    examples: ['https://data.example.com/api'],
  },
  clientId: {
    page: "Latchkey's client ID at the identity provider",
    schema: "Latchkey's client ID at the identity provider.",
  },
  clientSecret: {
    page: 'the secret of this client; see [The client secret](#the-client-secret)',
    schema:
      'The secret of this client. Every user of the computer can read this file: a desktop program cannot keep such a secret confidential.',
  },
  redirectPort: {
    page: `the port of 127.0.0.1 that the browser returns to, from ${KINDS.port.minimum} to ${KINDS.port.maximum}. If left out: a free port at each sign-in; see [Sign-in in the browser](#sign-in-in-the-browser)`,
    schema:
      'The port of 127.0.0.1 that the browser returns to. If left out: a free port at each sign-in. Set it if the provider compares the whole redirect address.',
    examples: [47_113],
  },
  resource: {
    page: 'the parameter `resource` (RFC 8707) of each sign-in and refresh, an absolute URI. If left out: `audience`, if the provider’s metadata says `resource_indicators_supported`',
    schema:
      'The parameter resource (RFC 8707) of each sign-in and refresh in the browser flow, an absolute URI. If left out: the audience, if the provider’s metadata says resource_indicators_supported.',
    examples: ['https://data.example.com/api'],
  },
  prompt: {
    page: 'the parameter `prompt` of each sign-in, such as `consent` or `select_account`. If left out: Latchkey asks for consent where it gets no refresh token without it; see [Sign-in in the browser](#sign-in-in-the-browser)',
    schema:
      'The parameter prompt of each sign-in in the browser. If left out: Latchkey asks for consent where it gets no refresh token without it.',
    examples: ['consent'],
  },
  userConnections: {
    page: "`true`: users can add connections of their own; `false`: they can't. If left out, see [Several connections](#several-connections)",
    schema:
      'Whether users can add connections of their own. If left out, they can if neither this file nor the environment sets baseAddress or connections.',
  },
  agent: {
    page: "`true`: tools get access tokens; `false`: they don't. If left out, each user decides",
    schema: 'Whether tools on this computer can ask Latchkey for access tokens. If left out, each user decides.',
  },
  startAtLogin: {
    page: "`true`: Latchkey starts when the user logs in; `false`: it doesn't. If left out, each user decides",
    schema: 'Whether Latchkey starts when the user logs in. If left out, each user decides.',
  },
  updateFeed: {
    page: 'where Latchkey looks for newer versions; see [Updates](#updates). If left out, it never looks',
    schema:
      'Where Latchkey looks for newer versions of itself, on Windows and macOS: a folder with the files of a release. If left out, it never looks. On Linux the package manager updates it.',
    examples: ['https://updates.example.com/latchkey'],
  },
}

/** @satisfies {Words} */
export const CONNECTIONS = {
  page: 'more connections by name, each with the values above; see [Several connections](#several-connections)',
  schema:
    "More connections, by the names that tools use for them (latchkey token --connection staging). If this key is present, users can't add their own unless userConnections is true, and they can't set baseAddress, even if it is left out. With {}, only the default connection exists.",
  examples: [{ staging: { baseAddress: 'https://staging.example.com' } }],
}

/** The texts about `tls` and its keys. */
export const TLS = {
  schema:
    "Certificates in addition to the system's. You can replace the files while Latchkey runs: it reads them again.",
  /** @satisfies {Record<keyof import('../../main/settings/policy-tls.ts').PolicyTls, Words>} */
  parts: {
    caFiles: {
      page: "certificate authorities to trust in addition to the system's",
      schema:
        "Certificate authorities to trust in addition to the system's: PEM files with one or more certificates each, or DER files. On Linux and macOS each file and every folder above it must belong to root, and be writable only by root.",
      examples: [['/etc/latchkey/company-ca.pem']],
    },
    clientCertificate: {
      page: "the computer's certificate. Latchkey presents the certificate to a service or identity provider that asks for one, but only if the policy or the environment sets that server's address",
      schema:
        'The certificate of this computer, for services and identity providers that ask for one. It is only presented to those whose address this file or the environment sets.',
    },
  },
}
