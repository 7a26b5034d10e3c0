const DEEPEST_ENCODING = 4

/**
 * Returns the path with a single slash at its start, or `undefined` if two servers might read the path differently.
 * SECURITY: such a path could leave the base path or name another server.
 */
export function cleanPath(path: string): string | undefined {
  if (!path.startsWith('/')) return undefined
  let decoded = path
  for (let depth = 0; decoded.includes('%'); depth++) {
    const before = decoded
    decoded = decoded.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    if (decoded === before) break
    if (depth === DEEPEST_ENCODING) return undefined
  }
  // Some servers also decode the old escape `%u002e`, or bytes that UTF-8 forbids, to a dot.
  if (/[\\\0\r\n]|%[uU][\da-fA-F]{4}|[\xc0\xc1]|\xe0[\x80-\x9f]|[\xf0\xf8\xfc][\x80-\x8f]/.test(decoded))
    return undefined
  if (hasDots(decoded)) return undefined
  return path.replace(/^\/+/, '/')
}

/** True if a segment is `.` or `..`. Some servers ignore spaces in it, and all after a semicolon (`..;/`). */
function hasDots(decoded: string): boolean {
  // Some servers replace special characters, such as a wide dot, by plain ones.
  const plain = Buffer.from(decoded, 'latin1').toString('utf8').normalize('NFKC')
  return plain.split(/[/\\]/).some((segment) => /^\s*\.\.?\s*(?:;|$)/.test(segment))
}
