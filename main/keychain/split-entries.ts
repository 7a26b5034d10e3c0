import { createHash, randomBytes } from 'node:crypto'

/** Keytar's calls, with the service name filled in. */
export interface Entries {
  get(account: string): Promise<string | null>
  set(account: string, value: string): Promise<void>
  /** Resolves to `false` if there was no entry. */
  delete(account: string): Promise<boolean>
}

/** The longest value in bytes: Windows' CRED_MAX_CREDENTIAL_BLOB_SIZE, which is 5 * 512. */
const LARGEST_BYTES = 2_560
/** How many times an entry is read before it is reported missing. Another copy of the app may replace it meanwhile. */
const TRIES = 3

interface Head {
  readonly id: string
  readonly count: number
  readonly sha256: string
}

const HEAD = /^latchkey-parts\/1 (?<id>[0-9a-f]{16}) (?<count>[1-9][0-9]{0,3}) (?<sha256>[0-9a-f]{64})$/
const LIKE_A_HEAD = /^latchkey-parts\//

/**
 * Splits a value that is too long for Windows into parts, which are entries with a random id in their names. The
 * value's own entry, the head, has the id, the number of parts and a digest. The head is written last, so that the old
 * value stays until then. If the parts don't match the head, the value is reported missing.
 */
export function splitEntries(
  entries: Entries,
  platform: NodeJS.Platform,
  largest: number = LARGEST_BYTES,
  newId: () => string = () => randomBytes(8).toString('hex'),
): Entries {
  if (platform !== 'win32') return entries

  const headOf = async (account: string): Promise<Head | undefined> => parseHead(await entries.get(account))

  const removeParts = async (account: string, head: Head): Promise<void> => {
    for (const part of partsOf(account, head)) await entries.delete(part)
  }

  const read = async (account: string, head: Head): Promise<string | null> => {
    let encoded = ''
    for (const part of partsOf(account, head)) encoded += (await entries.get(part)) ?? ''
    const value = Buffer.from(encoded, 'base64').toString('utf8')
    // SECURITY: half a value, or a mix of two, must never pass for a credential.
    return digest(value) === head.sha256 ? value : null
  }

  const writeInParts = async (account: string, value: string): Promise<void> => {
    const encoded = Buffer.from(value, 'utf8').toString('base64')
    const head = { id: newId(), count: Math.ceil(encoded.length / largest), sha256: digest(value) }
    try {
      for (const [index, part] of partsOf(account, head).entries()) {
        await entries.set(part, encoded.slice(index * largest, (index + 1) * largest))
      }
      await entries.set(account, `latchkey-parts/1 ${head.id} ${head.count} ${head.sha256}`)
    } catch (error) {
      await removeParts(account, head).catch(() => {})
      throw error
    }
  }

  return {
    async get(account) {
      for (let attempt = 1; attempt <= TRIES; attempt += 1) {
        const text = await entries.get(account)
        const head = parseHead(text)
        if (head === undefined) return text
        const value = await read(account, head)
        if (value !== null) return value
      }
      return null
    },

    async set(account, value) {
      const before = await headOf(account)
      const fits = Buffer.byteLength(value, 'utf8') <= largest && !LIKE_A_HEAD.test(value)
      await (fits ? entries.set(account, value) : writeInParts(account, value))
      // If this fails, the remaining parts of the old value only take up space.
      if (before !== undefined) await removeParts(account, before).catch(() => {})
    },

    async delete(account) {
      const head = await headOf(account)
      // The head is deleted last, so that a retry after an interruption finds the remaining parts through it.
      if (head !== undefined) await removeParts(account, head)
      return entries.delete(account)
    },
  }
}

function parseHead(text: string | null): Head | undefined {
  const { id, count, sha256 } = HEAD.exec(text ?? '')?.groups ?? {}
  return id === undefined || count === undefined || sha256 === undefined
    ? undefined
    : { id, count: Number(count), sha256 }
}

function partsOf(account: string, { id, count }: Head): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${account} part ${id}.${index + 1}`)
}

const digest = (value: string): string => createHash('sha256').update(value, 'utf8').digest('hex')
