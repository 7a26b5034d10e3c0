/** The snippets that use Latchkey in each language. Tests run them unchanged. */

/** The languages and shells for which there are snippets. */
export const TOOLS = ['python', 'r', 'node', 'shell', 'other'] as const
export type Tool = (typeof TOOLS)[number]

export interface Snippets {
  /** The command that installs the library. */
  readonly install?: string
  readonly use: string
}

interface About {
  /** The service's base address. */
  readonly address: string
  /** The connection's name; absent for the default connection, which tools use unless they name another. */
  readonly connection?: string | undefined
  /** True if the user's shell is PowerShell, as on Windows. */
  readonly isPowerShell: boolean
}

/** The snippets for one connection, without those that can't run on this system. */
export function snippetsFor({ address, connection, isPowerShell }: About): Readonly<Record<Tool, Snippets>> {
  const url = plainAddress(address)
  const install = (command: string, language: string) =>
    `${command} ${isPowerShell ? `(latchkey clients ${language})` : `"$(latchkey clients ${language})"`}`
  const option = connection === undefined ? '' : ` --connection ${connection}`
  const argument = connection === undefined ? '' : `connection="${connection}"`
  return {
    python: {
      install: install('pip install', 'python'),
      use: `import requests
from latchkey_desktop import RequestsAuth

response = requests.get("${url}", auth=RequestsAuth(${argument}))
print(response.text)`,
    },
    r: {
      // In PowerShell, `R` is a different command.
      install: install(isPowerShell ? 'R.exe CMD INSTALL' : 'R CMD INSTALL', 'r'),
      use: `library(httr2)
library(latchkeydesktop)

request("${url}") |>
  req_latchkey(${argument}) |>
  req_perform() |>
  resp_body_string()`,
    },
    node: {
      install: install('npm install', 'node'),
      use: `import { latchkeyFetch } from 'latchkey-desktop'

const response = await latchkeyFetch('${url}'${connection === undefined ? '' : `, { connection: '${connection}' }`})
console.log(await response.text())`,
    },
    // The PowerShell snippet has no pipe, because Windows PowerShell alters piped data.
    shell: {
      use: isPowerShell
        ? `latchkey token${option}`
        : `latchkey header${option} | curl -sS --fail ${withoutTls(url)}-H @- "${url}"`,
    },
    other: { use: `latchkey exec${option} -- my-program` },
  }
}

/** SECURITY: without TLS, a proxy could read the token, and so could another user who listens at localhost's [::1]. */
const withoutTls = (url: string): string =>
  url.startsWith('http:') ? `${url.startsWith('http://[') ? '' : '-4 '}--noproxy '*' ` : ''

/**
 * SECURITY: an address may contain characters, such as quotes, that would end a string in a snippet too early.
 * Percent-encoding prevents that, and the address still means the same.
 */
const plainAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@%&=+,;]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
