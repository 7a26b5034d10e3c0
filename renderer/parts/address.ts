/** Interprets an address while it is typed. The main process validates it. */

function read(typed: string): URL | undefined {
  const address = typed.includes('://') ? typed : `https://${typed}`
  return URL.canParse(address) ? new URL(address) : undefined
}

export const hostOf = (typed: string): string | undefined => read(typed)?.host

export function isSameAddress(typed: string, other: string): boolean {
  const [one, two] = [read(typed), read(other)]
  return one !== undefined && one.origin === two?.origin && path(one) === path(two)
}

const path = ({ pathname }: URL): string => {
  let end = pathname.length
  while (pathname[end - 1] === '/') end -= 1
  return pathname.slice(0, end)
}
