const TOKEN = /^[A-Za-z0-9-]{1,40}$/

/**
 * The schemes that `Proxy-Authenticate` offers (RFC 9110 section 11.6.1), as the proxy writes them. A word that is
 * followed by `=` is a parameter of the scheme before it.
 */
export function schemesOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = [header ?? []]
    .flat()
    .join(', ')
    .replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const words = text.split(',').map((part) => /^\s*([^\s=,]+)(?!\s*=)(?=\s|$)/.exec(part)?.[1] ?? '')
  return [...new Set(words.filter((word) => TOKEN.test(word)))].slice(0, 8)
}
