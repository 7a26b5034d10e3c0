/** A Kerberos realm (MIT's key distribution centre) and a Squid proxy that requires a ticket of the realm. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { until } from '../keyring/programs.ts'
import { freePort } from './local-servers.ts'

const PATH = '/usr/sbin:/usr/bin:/sbin:/bin'
const PASSWORD = 'correct horse'

export type Realm = Awaited<ReturnType<typeof startRealm>>

/** @param names Addresses that only the proxy knows. */
export async function startRealm(names: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-realm-'))
  const file = (name: string) => path.join(folder, name)
  const [kdcPort, port] = [await freePort(), await freePort()]
  // If root starts Squid, Squid switches to a user of its own, who must be able to read this folder.
  chmodSync(folder, 0o755)
  mkdirSync(file('cores'), { mode: 0o777 })
  writeFileSync(
    file('krb5.conf'),
    `[libdefaults]
default_realm = EXAMPLE.COM
dns_lookup_kdc = false
dns_canonicalize_hostname = false
[realms]
EXAMPLE.COM = {
kdc = 127.0.0.1:${kdcPort}
}
[domain_realm]
localhost = EXAMPLE.COM
`,
  )
  writeFileSync(
    file('kdc.conf'),
    `[kdcdefaults]
kdc_listen = ""
kdc_tcp_listen = 127.0.0.1:${kdcPort}
[realms]
EXAMPLE.COM = {
database_name = ${file('principal')}
key_stash_file = ${file('stash')}
}
`,
  )
  writeFileSync(file('hosts'), names.map((name) => `127.0.0.1 ${name}\n`).join(''))
  writeFileSync(
    file('squid.conf'),
    `http_port 127.0.0.1:${port}
hosts_file ${file('hosts')}
pid_filename none
cache_log /dev/null
access_log none
shutdown_lifetime 0 seconds
coredump_dir ${file('cores')}
auth_param negotiate program /usr/lib/squid/negotiate_kerberos_auth -k ${file('keytab')} -s HTTP/localhost -t none
auth_param negotiate children 1 startup=1
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all
`,
  )
  const env = { PATH, KRB5_CONFIG: file('krb5.conf'), KRB5_KDC_PROFILE: file('kdc.conf') }
  const run = (program: string, ...words: string[]) => execFileSync(program, words, { env, stdio: 'pipe' })
  run('kdb5_util', 'create', '-s', '-P', 'master', '-r', 'EXAMPLE.COM')
  run('kadmin.local', 'addprinc', '-pw', PASSWORD, 'ana')
  run('kadmin.local', 'addprinc', '-randkey', 'HTTP/localhost')
  run('kadmin.local', 'ktadd', '-k', file('keytab'), 'HTTP/localhost')
  chmodSync(file('keytab'), 0o644)
  const centre = spawn('krb5kdc', ['-n'], { env, stdio: 'ignore' })
  // This squid has a name of its own, because the usual name fails if another user's squid has left shared memory.
  const squid = spawn('squid', ['-N', '-n', `latchkey${port}`, '-f', file('squid.conf')], { env, stdio: 'ignore' })
  await Promise.all([listening(kdcPort), listening(port)])
  process.env['KRB5_CONFIG'] = file('krb5.conf')
  const ticket = file('ticket')
  return {
    port,
    signIn() {
      execFileSync('kinit', ['-c', ticket, 'ana'], { env, input: `${PASSWORD}\n`, stdio: 'pipe' })
      process.env['KRB5CCNAME'] = `FILE:${ticket}`
    },
    signOut() {
      process.env['KRB5CCNAME'] = `FILE:${file('no-ticket')}`
    },
    answer(does: boolean) {
      centre.kill(does ? 'SIGCONT' : 'SIGSTOP')
    },
    async stop() {
      delete process.env['KRB5_CONFIG']
      delete process.env['KRB5CCNAME']
      await Promise.all([ended(centre, 'SIGKILL'), ended(squid, 'SIGTERM')])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return
  const over = once(child, 'exit')
  child.kill(signal)
  await over
}

const listening = (port: number) =>
  until(
    async () => {
      const socket = connect(port, '127.0.0.1')
      return once(socket, 'connect')
        .then(() => true)
        .finally(() => socket.destroy())
    },
    () => `nothing listens on port ${port}`,
  )
