import * as v from 'valibot'
import type { Defect } from '../../contract/defects.ts'
import { TLS_KINDS } from '../../contract/setting-rows.ts'
import { Secret } from '../base/secret.ts'
import { suggestion } from './defects.ts'
import { whyNotAnObject } from './json-positions.ts'
import type { KeyProblem } from './problems.ts'
import { limited } from './values.ts'

const file = limited(TLS_KINDS.file)
const passphrase = v.optional(
  v.pipe(
    limited(TLS_KINDS.passphrase),
    v.transform((value) => new Secret('passphrase', value)),
  ),
)

/** The parts of `tls`. A problem with one part doesn't affect the others. */
const PARTS = {
  /** Certificate authorities to trust in addition to the system's. */
  caFiles: v.array(file),
  /** The computer's certificate: PEM files, or one PKCS #12 file. */
  clientCertificate: v.union([
    v.strictObject({ certFile: file, keyFile: file, passphrase }),
    v.strictObject({ pfxFile: file, passphrase }),
  ]),
} as const

type Part = keyof typeof PARTS

export type PolicyTls = { readonly [P in Part]?: v.InferOutput<(typeof PARTS)[P]> }

const isPart = (key: string): key is Part => Object.hasOwn(PARTS, key)

const DEFECTS: { readonly [P in Part]: Defect } = {
  caFiles: { kind: 'files' },
  clientCertificate: { kind: 'certificate' },
}

function about(part: string): KeyProblem {
  const key = `tls.${part}`
  return isPart(part)
    ? { key, problem: 'unusable', defect: DEFECTS[part] }
    : { key, problem: 'unknown', ...suggestion(part, Object.keys(PARTS)) }
}

/** Reads `caFiles` file by file. What can't be used is reported, and the rest still applies. */
export function readTls(value: unknown): { readonly tls: PolicyTls; readonly problems: readonly KeyProblem[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { tls: {}, problems: [{ key: 'tls', problem: 'unusable', defect: whyNotAnObject(value) }] }
  }
  const tls: Record<string, unknown> = {}
  const problems: KeyProblem[] = []
  for (const [part, content] of Object.entries(value)) {
    const parsed = isPart(part) ? v.safeParse(PARTS[part], content) : undefined
    if (parsed?.success) tls[part] = parsed.output
    else if (part === 'caFiles' && Array.isArray(content)) {
      tls[part] = content.filter((each) => v.is(file, each))
      const others = content.filter((each) => !v.is(file, each))
      problems.push(...others.map((each) => ({ ...about(part), file: `${each}` })))
    } else problems.push(about(part))
  }
  return { tls, problems }
}
