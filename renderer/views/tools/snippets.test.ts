import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const all = (about: Parameters<typeof snippetsFor>[0]) => {
  return Object.values(snippetsFor(about)).flatMap(({ install = '', use }) => [install, use])
}

const decoded = (address: string) =>
  address.replaceAll(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

test('SECURITY: no address can end the string around it, and the encoded address means the same', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), (path) => {
      const address = new URL(`https://data.example.com/x${path}`).href
      const { use } = snippetsFor({ address, isPowerShell: false, replace: 'yours' }).python
      const [, shown = ''] = /url = "(.*)" {2}# yours/s.exec(use) ?? []
      expect(shown).toMatch(/^[\w\-.~:/?#[\]@%&=+,;]+$/)
      expect(decoded(shown)).toBe(`${decoded(address).replace(/\/$/, '')}/v1/tables`)
    }),
  )
})

test.each([`https://x/$(id)`, `https://x/'$HOME'`, 'https://x/!!', 'https://x/`id`', 'https://x/"'])(
  'SECURITY: shell syntax in an address is encoded: %s',
  (address) => {
    for (const code of all({ address, isPowerShell: false, replace: 'yours' }))
      expect(code).not.toMatch(/\$\(id|\$HOME|!!|`|x\/"[^,)]/)
  },
)

test('the shell snippet has no comment, because an interactive zsh would run it', () => {
  const { shell, other, ai } = snippetsFor({
    address: 'https://data.example.com',
    isPowerShell: false,
    replace: 'yours',
  })
  for (const { use } of [shell, other, ai]) expect(use).not.toContain('#')
})

test('on Windows, no snippet is for a POSIX shell', () => {
  for (const code of all({
    address: 'https://data.example.com/',
    connection: 'staging',
    isPowerShell: true,
    replace: 'yours',
  })) {
    expect(code).not.toMatch(/"\$\(|@-|curl/)
  }
})
