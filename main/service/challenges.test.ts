import { expect, it } from 'vitest'
import { schemesOf } from './challenges.ts'

it.each<[string | string[] | undefined, string[]]>([
  [undefined, []],
  ['Basic realm="a"', ['Basic']],
  ['Negotiate', ['Negotiate']],
  [
    ['Negotiate', 'NTLM'],
    ['Negotiate', 'NTLM'],
  ],
  ['Digest realm="a, Basic b", qop="auth", nonce=x, Basic realm="b", charset="UTF-8"', ['Digest', 'Basic']],
  ['Negotiate, NTLM TlRMTVNTUAAC, Basic', ['Negotiate', 'NTLM', 'Basic']],
  ['realm="Basic"', []],
  ['NTLM, Digest realm="a, Basic', ['NTLM', 'Digest']],
  ['NTLM, Digest realm="a, Basic\\', ['NTLM', 'Digest']],
  ['basic = x', []],
  ['<script>, Ba\u0000sic', []],
])('the header %j offers the schemes %j', (header, schemes) => {
  expect(schemesOf(header)).toEqual(schemes)
})
