/** The snippets that use Latchkey in each language. Tests run them unchanged. */

/** What there are instructions for, in the window's order. `gateway`: programs that can't ask for tokens. */
export const TOOLS = ['python', 'r', 'node', 'shell', 'gateway', 'ai', 'other'] as const
export type Tool = (typeof TOOLS)[number]

/** The tools whose instructions are code. */
export type CodeTool = Exclude<Tool, 'gateway'>

/** The names that are the same in every language. */
export const NAMES = { python: 'Python', r: 'R', node: 'Node', shell: 'Shell' } as const satisfies Partial<
  Record<Tool, string>
>

export interface Snippets {
  /** The command that installs the library in a terminal. */
  readonly install?: string
  /** The same for a notebook's cell. */
  readonly installInNotebook?: string | undefined
  readonly use: string
}

interface About {
  /** The service's base address. */
  readonly address: string
  /** The connection's name; absent for the default connection, which tools use unless they name another. */
  readonly connection?: string | undefined
  /** True if the user's shell is PowerShell, as on Windows. */
  readonly isPowerShell: boolean
  /** The command `latchkey`, as a shell can run it. */
  readonly command?: string | undefined
  /** The comment that asks the user to replace the path, in the user's language. */
  readonly replace: string
}

/** The path of the demo's data. Users of another service replace it. */
const PATH = '/v1/tables'

/** The snippets for one connection, without those that can't run on this system. */
export function snippetsFor(about: About): Readonly<Record<CodeTool, Snippets>> {
  const { connection, isPowerShell, command: latchkey = 'latchkey', replace } = about
  const url = plainAddress(about.address).replace(/\/$/, '') + PATH
  const folder = (language: string) =>
    isPowerShell ? `(${latchkey} clients ${language})` : `"$(${latchkey} clients ${language})"`
  const option = connection === undefined ? '' : ` --connection ${connection}`
  const argument = connection === undefined ? '' : `connection="${connection}"`
  return {
    python: {
      // The Python of Debian and Ubuntu refuses to install packages outside of a virtual environment.
      install: isPowerShell
        ? `py -m venv --system-site-packages .venv; .venv\\Scripts\\pip install requests ${folder('python')}`
        : `python3 -m venv --system-site-packages .venv && .venv/bin/pip install requests ${folder('python')}`,
      installInNotebook: isPowerShell ? undefined : `%pip install requests ${folder('python')}`,
      use: `import requests
from latchkey_desktop import RequestsAuth

url = "${url}"  # ${replace}
response = requests.get(url, auth=RequestsAuth(${argument}))
response.raise_for_status()
print(response.text)`,
    },
    r: {
      // In PowerShell, `R` is a different command.
      install: `${isPowerShell ? 'R.exe' : 'R'} CMD INSTALL ${folder('r')}`,
      use: `library(httr2)
library(latchkeydesktop)

url <- "${url}"  # ${replace}
request(url) |>
  req_latchkey(${argument}) |>
  req_perform() |>
  resp_body_string()`,
    },
    node: {
      install: `npm install ${folder('node')}`,
      use: `import { latchkeyFetch } from 'latchkey-desktop'

const url = '${url}' // ${replace}
const response = await latchkeyFetch(url${connection === undefined ? '' : `, { connection: '${connection}' }`})
if (!response.ok) throw new Error('HTTP ' + response.status)
console.log(await response.text())`,
    },
    // No comment: an interactive zsh reads it as arguments. The PowerShell snippet has no pipe, because Windows
    // PowerShell alters piped data.
    shell: {
      use: isPowerShell
        ? `${latchkey} token${option}`
        : `url="${url}"
${latchkey} header${option} | curl -sS --fail ${withoutTls(url)}-H @- "$url"`,
    },
    ai: { use: `${latchkey} mcp --config claude${option}` },
    other: { use: `${latchkey} exec${option} -- my-program` },
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
