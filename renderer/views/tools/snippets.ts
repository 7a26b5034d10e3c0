/** The snippets that use Latchkey in each language. Tests run them unchanged. */

/** The tools in the window's order. `gateway`: programs that can't ask for tokens. */
export const TOOLS = ['python', 'r', 'node', 'shell', 'gateway', 'ai', 'other'] as const
export type Tool = (typeof TOOLS)[number]

export type CodeTool = Exclude<Tool, 'gateway'>

export const NAMES = { python: 'Python', r: 'R', node: 'Node', shell: 'Shell' } as const satisfies Partial<
  Record<Tool, string>
>

export interface Snippets {
  /** The command that installs the library, for a terminal. */
  readonly install?: string
  readonly installInNotebook?: string | undefined
  readonly use: string
}

interface About {
  readonly address: string
  /** Absent for the default connection, which tools use unless they name another. */
  readonly connection?: string | undefined
  readonly isPowerShell: boolean
  readonly command?: string | undefined
  /** A comment, in the user's language, that asks the user to replace the path. */
  readonly replace: string
}

/** A path of the demo's data. */
const PATH = '/v1/tables'

/** Leaves out what can't run on this system. */
export function snippetsFor(about: About): Readonly<Record<CodeTool, Snippets>> {
  const { connection, isPowerShell, command: latchkey = 'latchkey', replace } = about
  const url = plainAddress(about.address).replace(/\/$/, '') + PATH
  const folder = (language: string) =>
    isPowerShell ? `(${latchkey} clients ${language})` : `"$(${latchkey} clients ${language})"`
  const option = connection === undefined ? '' : ` --connection ${connection}`
  const argument = connection === undefined ? '' : `connection="${connection}"`
  return {
    python: {
      // On Debian and Ubuntu, pip refuses to install outside a virtual environment.
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
      // Until the user's own library folder exists, R installs packages for everybody, which only administrators may
      // do. In PowerShell, `R` runs the last command again.
      install: `Rscript -e "dir.create(Sys.getenv('R_LIBS_USER'), FALSE, TRUE)"; ${isPowerShell ? 'R.exe' : 'R'} CMD INSTALL ${folder('r')}`,
      use: `library(httr2)
library(latchkeydesktop)

url <- "${url}"  # ${replace}
request(url) |>
  req_latchkey(${argument}) |>
  req_perform() |>
  resp_body_string() |>
  cat()`,
    },
    node: {
      install: `npm install ${folder('node')}`,
      use: `import { latchkeyFetch } from 'latchkey-desktop'

const url = '${url}' // ${replace}
const response = await latchkeyFetch(url${connection === undefined ? '' : `, { connection: '${connection}' }`})
if (!response.ok) throw new Error('HTTP ' + response.status)
console.log(await response.text())`,
    },
    // No comment, because an interactive zsh would run it, and no pipe, because Windows PowerShell changes piped data.
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

/** SECURITY: percent-encodes the characters, such as quotes, that could end the string around the address. */
const plainAddress = (address: string): string =>
  address.replace(/[^\w\-.~:/?#[\]@%&=+,;]/gu, (character) =>
    [...new TextEncoder().encode(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )
