/** A throw-away certificate authority, made with `openssl`. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const CONFIG = `
[ca]
default_ca = it
[it]
database = index.txt
new_certs_dir = .
default_md = sha256
policy = any
rand_serial = yes
unique_subject = no
[any]
organizationName = optional
commonName = supplied
`
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** The time in which a certificate is valid, in days from now (negative in the past) or as exact dates. */
export interface Validity {
  readonly from?: number | Date
  readonly to?: number | Date
}

export interface Identity {
  readonly key: string
  /** The certificate, followed by those of its issuers except the root. */
  readonly cert: string
}

/** A date in OpenSSL's form, `YYYYMMDDHHMMSSZ`. */
const date = (at: number | Date): string =>
  `${(typeof at === 'number' ? new Date(Date.now() + at * 86_400_000) : at)
    .toISOString()
    .replace(/[-:T]|\..*/g, '')
    .slice(0, 14)}Z`

/** A root, an intermediate authority, and certificates that it signs, in a folder that `stop` removes. */
export class Authority {
  readonly #folder = mkdtempSync(join(tmpdir(), 'latchkey-authority-'))

  /** @param subject in OpenSSL's form; `/` for none. */
  constructor(subject = '/O=Test/CN=Root') {
    writeFileSync(join(this.#folder, 'ca.cnf'), CONFIG)
    writeFileSync(join(this.#folder, 'index.txt'), '')
    const root = ['-keyout', 'root.key', '-out', 'root.pem', '-days', '400', '-subj', subject]
    this.#openssl('req', '-x509', ...NEW_KEY, ...root)
  }

  get root(): string {
    return this.#read('root.pem')
  }

  /** The root as a server's self-signed certificate. */
  get selfSigned(): Identity {
    return { key: this.#read('root.key'), cert: this.root }
  }

  /** An intermediate authority, signed by the root. Returns its name, for `signer`. */
  between(name: string, validity: Validity = {}): string {
    this.#sign(name, 'root', `/O=Test/CN=${name}`, 'basicConstraints=critical,CA:true', validity)
    return name
  }

  /** A host's certificate. @param names such as `IP:127.0.0.1,DNS:localhost`. */
  host(names: string, validity: Validity = {}, signer = 'root'): Identity {
    this.#sign('host', signer, '/O=Data Platform/CN=service.test', `subjectAltName=${names}`, validity)
    const issuers = signer === 'root' ? '' : this.#read(`${signer}.pem`)
    return { key: this.#read('host.key'), cert: this.#read('host.pem') + issuers }
  }

  stop(): void {
    rmSync(this.#folder, { recursive: true })
  }

  #sign(name: string, signer: string, subject: string, extension: string, { from = -1, to = 100 }: Validity): void {
    this.#openssl('req', '-new', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', subject)
    writeFileSync(join(this.#folder, 'extension.cnf'), extension)
    const validity = ['-startdate', date(from), '-enddate', date(to)]
    const by = ['-config', 'ca.cnf', '-extfile', 'extension.cnf', '-cert', `${signer}.pem`, '-keyfile', `${signer}.key`]
    this.#openssl('ca', '-batch', '-notext', ...by, ...validity, '-in', `${name}.csr`, '-out', `${name}.pem`)
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' })
  }

  #read(file: string): string {
    return readFileSync(join(this.#folder, file), 'utf8')
  }
}
