import { expect, it } from 'vitest'
import { schemesOf } from './challenges.ts'

it.each<[string | string[] | undefined, string[]]>([
  [undefined, []],
  ['Basic realm="a"', ['Basic']],
  ['Digest realm="a, Basic b", qop="auth", nonce=x, Basic realm="b", charset="UTF-8"', ['Digest', 'Basic']],
  ['Negotiate, NTLM TlRMTVNTUAAC, Basic', ['Negotiate', 'NTLM', 'Basic']],
  ['realm="Basic"', []],
  [
    ['Negotiate', 'NTLM, Negotiate'],
    ['Negotiate', 'NTLM'],
  ],
  ['NTLM, Digest realm="a, Basic', ['NTLM', 'Digest']],
  ['<script>, Ba\u0000sic', []],
])('the header %j offers the schemes %j', (header, schemes) => {
  expect(schemesOf(header)).toEqual(schemes)
})
