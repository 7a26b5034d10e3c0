const SCHEME = /^[A-Za-z0-9-]{1,40}$/

/** Node's usual limit for all headers together, in bytes. */
const LONGEST_HEADER = 16_384

/** If the closing quote is missing, the quoted string is the rest of the header. */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|\\?$)/gs

/** The schemes in `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 section 11.6.1), without parameters. */
export function schemesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = [header ?? []]
    .flat()
    .join(', ')
    // SECURITY: the length is limited, because the patterns take long on a long text.
    .slice(0, LONGEST_HEADER)
    .replace(QUOTED, '""')
  const words = text.split(',').map((part) => /^\s*([^\s=,]+)(?!\s*=)(?=\s|$)/.exec(part)?.[1] ?? '')
  return [...new Set(words.filter((word) => SCHEME.test(word)))]
}

export const offersBasic = (header: string | readonly string[] | undefined): boolean =>
  schemesOf(header).some((scheme) => scheme.toLowerCase() === 'basic')
