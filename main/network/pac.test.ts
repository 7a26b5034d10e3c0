import { expect, it } from 'vitest'
import { processorTime } from '../../test/support/growth.ts'
import { parsePacAnswer } from './pac.ts'

const at = (kind: string, host: string, port: number) => ({ kind, host, port })

it.each<[string, unknown]>([
  ['DIRECT', ['direct']],
  ['PROXY a.test:3128', [at('http', 'a.test', 3128)]],
  ['PROXY a.test', [at('http', 'a.test', 80)]],
  ['HTTPS a.test', [at('https', 'a.test', 443)]],
  ['SOCKS a.test', [at('socks4', 'a.test', 1080)]],
  ['SOCKS5 a.test', [at('socks5', 'a.test', 1080)]],
  ['PROXY [::1]:8080', [at('http', '[::1]', 8080)]],
  ['PROXY PROXY.Test:8080', [at('http', 'proxy.test', 8080)]],
  [
    'PROXY a:1; SOCKS5 b:2; HTTPS c:3; SOCKS4 d:4; DIRECT',
    [at('http', 'a', 1), at('socks5', 'b', 2), at('https', 'c', 3), at('socks4', 'd', 4), 'direct'],
  ],
  ['  proxy  a:1 ;direct; ', [at('http', 'a', 1), 'direct']],
])('reads %s as Chromium does', (answer, proxies) => {
  expect(parsePacAnswer(answer)).toEqual(proxies)
})

it.each(['QUIC a:1', 'PROXY', 'PROXY a:0', 'PROXY a:65536', 'PROXY a:b', 'PROXY a b', 'PROXY u:p@a:1', 'PROXY a/b:1'])(
  'leaves out %s and uses the other routes of the answer',
  (element) => {
    expect(parsePacAnswer(`${element}; PROXY b:2`)).toEqual([at('http', 'b', 2)])
  },
)

it.each(['', ' ; ', 'nonsense', 'QUIC a:1'])('reads %j, which names no usable route, as a direct route', (answer) => {
  expect(parsePacAnswer(answer)).toEqual(['direct'])
})

it('reads only the first 16 KiB of an answer, and drops the element that is cut off there', () => {
  const beginning = `PROXY a:1;${' '.repeat(16_384 - 22)}PROXY b:80`
  expect(beginning).toHaveLength(16_382)
  expect(parsePacAnswer(beginning)).toEqual([at('http', 'a', 1), at('http', 'b', 80)])
  expect(parsePacAnswer(`${beginning}808`)).toEqual([at('http', 'a', 1)])
})

it('SECURITY: a hundred thousand elements take no longer to read than two thousand', () => {
  const readOften = (elements: number) => {
    // JavaScript builds a repeated string only when it is first read, which happens in this conversion.
    const answer = Buffer.from('QUIC a:1;'.repeat(elements)).toString()
    return () => {
      for (let times = 0; times < 30; times++) parsePacAnswer(answer)
    }
  }
  // Without the limit, the long answer would take fifty times as long.
  expect(processorTime(readOften(100_000))).toBeLessThan(5 * processorTime(readOften(2_000)))
})
