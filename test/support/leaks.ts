import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'

export interface NamedSecret {
  /** Findings show the name, never the value. */
  readonly name: string
  readonly value: string
}

export interface Evidence {
  readonly place: string
  readonly bytes: Buffer
}

export const evidence = (place: string, text: string): Evidence => ({ place, bytes: Buffer.from(text) })

/** Every file in a folder, with its name, because the name may contain a secret, too. */
export function filesUnder(folder: string): Evidence[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const place = path.join(folder, name)
      const stat = lstatSync(place)
      const content = stat.isFile() ? readFileSync(place) : stat.isSymbolicLink() ? readlinkSync(place) : ''
      return { place, bytes: Buffer.concat([Buffer.from(`${name}\0`), Buffer.from(content)]) }
    })
  } catch (error) {
    // A program may have deleted a file meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error
    return filesUnder(folder)
  }
}

/** Returns a line for each leak: the secret's name, its encoding, and the place. */
export function findLeaks(secrets: readonly NamedSecret[], everything: readonly Evidence[]): string[] {
  const needles = secrets.flatMap(needlesOf)
  return everything.flatMap(({ place, bytes }) =>
    needles.filter((needle) => bytes.includes(needle.bytes)).map(({ name, how }) => `${name} (${how}) in ${place}`),
  )
}

/** Of an access token, returns only the signature, because every copy of the token contains it. */
export function tokensAsSecrets(tokens: readonly string[]): NamedSecret[] {
  return tokens.flatMap((value, index) => {
    const [, , signature] = value.split('.')
    return signature === undefined
      ? [{ name: `refresh token ${index + 1}`, value }]
      : [{ name: `access token ${index + 1}`, value: signature }]
  })
}

function needlesOf({ name, value }: NamedSecret) {
  const plain = Buffer.from(value)
  const written: readonly (readonly [string, Buffer | string])[] = [
    ['plain', plain],
    ['UTF-16', Buffer.from(value, 'utf16le')],
    ['hexadecimal', plain.toString('hex')],
    ['percent-encoded', encodeURIComponent(value)],
    ['escaped as JSON', JSON.stringify(value).slice(1, -1)],
    ...base64Of(plain).map((text) => ['base64', text] as const),
    ...base64Of(plain).map((text) => ['base64', text.replaceAll('+', '-').replaceAll('/', '_')] as const),
  ]
  const found = written.map(([how, bytes]) => ({ name, how, bytes: Buffer.from(bytes) }))
  // Removes duplicates, because many encodings give the same bytes, and each search takes long.
  return found.filter((one, index) => found.findIndex((other) => other.bytes.equals(one.bytes)) === index)
}

/** These bytes in the Base64 of a longer text, once for each alignment, without characters that neighbours share. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const after = (before + bytes.length) % 3
    return text.slice(before === 0 ? 0 : before + 1, after === 0 ? undefined : -1)
  })
}
