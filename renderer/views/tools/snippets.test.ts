import fc from 'fast-check'
import { expect, test } from 'vitest'
import { snippetsFor } from './snippets.ts'

const snippets = (address: string, isPowerShell = false) =>
  snippetsFor({ address, connection: 'staging', isPowerShell, replace: 'yours' })

const decoded = (address: string) =>
  address.replaceAll(/%([0-9A-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

test('SECURITY: no address can end the string around it, and the encoded address means the same', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), (path) => {
      const address = new URL(`https://data.example.com/x${path}`).href
      const [, shown = ''] = /url = "(.*)" {2}# yours/s.exec(snippets(address).python.use) ?? []
      expect(shown).toMatch(/^[\w\-.~:/?#[\]@%&=+,;]+$/)
      expect(decoded(shown)).toBe(`${decoded(address).replace(/\/$/, '')}/v1/tables`)
    }),
  )
})

test('SECURITY: shell syntax in an address is encoded', () => {
  for (const { use } of Object.values(snippets("https://x/$(id)'$HOME'!!`id`\"")))
    expect(use).not.toMatch(/\$\(id|\$HOME|!!|`|x\/"[^,)]/)
})

test('a shell snippet has no comment, because an interactive zsh would run it, and none is POSIX on Windows', () => {
  const { shell, other, ai } = snippets('https://data.example.com')
  for (const { use } of [shell, other, ai]) expect(use).not.toContain('#')
  for (const { install, use } of Object.values(snippets('https://data.example.com', true)))
    expect(`${install} ${use}`).not.toMatch(/"\$\(|@-|curl/)
})
