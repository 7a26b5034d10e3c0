import { describe, expect, it } from 'vitest'
import { selfSignedCertificate, signedCertificate } from '../../demo/certificate.ts'
import { parseBundle } from './pem.ts'
import { type SystemCertificatePorts, systemCertificates } from './system-certificates.ts'

const [one, two] = ['one.test', 'two.test'].map(
  (host) => parseBundle(selfSignedCertificate({ host }).cert).certificates[0],
)
if (one === undefined || two === undefined) throw new Error('no certificates')

interface Machine extends Partial<Omit<SystemCertificatePorts, 'readFile' | 'run'>> {
  readonly files?: { readonly [path: string]: string }
  readonly prints?: string
}

function machine({ files = {}, prints, ...rest }: Machine) {
  const asked: (readonly string[])[] = []
  const ports: SystemCertificatePorts = {
    platform: 'linux',
    env: {},
    readFile: async (path) => {
      asked.push([path])
      const content = files[path]
      if (content === undefined) throw new Error('ENOENT')
      return content
    },
    run: async (program, args) => {
      asked.push([program, ...args])
      if (prints === undefined) throw new Error('ENOENT')
      return prints
    },
    ...rest,
  }
  return { ports, asked }
}

const DEBIAN = '/etc/ssl/certs/ca-certificates.crt'
const FEDORA = '/etc/pki/tls/certs/ca-bundle.crt'

it('if Node can read the system’s certificates, the files are read only after one wasn’t trusted', async () => {
  const { ports, asked } = machine({ native: () => [one], files: { [DEBIAN]: two } })
  expect(await systemCertificates(ports)).toEqual({ certificates: [one], dropped: 0, from: 'Node' })
  expect(asked).toEqual([])
  const both = { certificates: [one, two], dropped: 0, from: `Node, ${DEBIAN}` }
  expect(await systemCertificates(ports, true)).toEqual(both)
})

it('SECURITY: on macOS, nothing is added to Node’s list, which leaves out “Never Trust” certificates', async () => {
  const { ports, asked } = machine({ platform: 'darwin', native: () => [one], prints: two })
  expect(await systemCertificates(ports, true)).toEqual({ certificates: [one], dropped: 0, from: 'Node' })
  expect(asked).toEqual([])
})

describe('if Node returns no certificates', () => {
  it('the first bundle that contains certificates is used', async () => {
    const files = {
      [DEBIAN]: 'nothing',
      [FEDORA]: `${one}${two}-----BEGIN CERTIFICATE-----`,
      '/etc/ssl/cert.pem': one,
    }
    const { ports } = machine({ files })
    expect(await systemCertificates(ports)).toEqual({ certificates: [one, two], dropped: 1, from: FEDORA })
  })

  it('on macOS, authorities are exported from the system’s keychains, not the user’s', async () => {
    const leaf = signedCertificate(selfSignedCertificate()).cert
    const { ports, asked } = machine({ platform: 'darwin', prints: `${leaf}${one}` })
    expect(await systemCertificates(ports)).toMatchObject({ certificates: [one] })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.[0]).toBe('/usr/bin/security')
    expect(asked[0]?.join(' ')).not.toContain('login')
  })

  it('on Windows, the stores are exported with the system’s own PowerShell', async () => {
    const { ports, asked } = machine({
      platform: 'win32',
      env: { SystemRoot: 'D:\\Windows' },
      prints: `${one}\r\n${two}`,
    })
    expect(await systemCertificates(ports)).toMatchObject({ certificates: [one, two] })
    expect(asked[0]?.[0]).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe')
  })
})
