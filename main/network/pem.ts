import { X509Certificate } from 'node:crypto'

const BLOCK =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g
const BEGINNING = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g
const SEQUENCE = 0x30

export interface CertificateBundle {
  /** The certificates as PEM, one in each text, without duplicates. */
  readonly certificates: readonly string[]
  readonly dropped: number
}

/** Reads a PEM bundle (RFC 7468) or a DER file. Skips other text and broken certificates. */
export function parseBundle(content: string | Uint8Array): CertificateBundle {
  if (typeof content !== 'string' && content[0] === SEQUENCE) return parseDer(content)
  const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
  const found = new Set<string>()
  let read = 0
  for (const [block] of text.matchAll(BLOCK)) {
    try {
      found.add(new X509Certificate(block).toString())
      read++
    } catch {
      // The certificate is broken, and is counted as dropped below.
    }
  }
  return { certificates: [...found], dropped: (text.match(BEGINNING) ?? []).length - read }
}

function parseDer(content: Uint8Array): CertificateBundle {
  try {
    return { certificates: [new X509Certificate(content).toString()], dropped: 0 }
  } catch {
    return { certificates: [], dropped: 1 }
  }
}
