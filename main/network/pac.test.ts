import { expect, it } from 'vitest'
import { parsePacAnswer } from './pac.ts'

const at = (kind: string, host: string, port: number) => ({ kind, host, port })

it.each<[string, unknown]>([
  ['DIRECT', ['direct']],
  ['PROXY a.test', [at('http', 'a.test', 80)]],
  ['HTTPS a.test', [at('https', 'a.test', 443)]],
  ['SOCKS a.test', [at('socks4', 'a.test', 1080)]],
  ['PROXY [::1]:8080', [at('http', '[::1]', 8080)]],
  [
    'PROXY a:1; SOCKS5 b:2; HTTPS c:3; SOCKS4 d:4; DIRECT',
    [at('http', 'a', 1), at('socks5', 'b', 2), at('https', 'c', 3), at('socks4', 'd', 4), 'direct'],
  ],
  ['  proxy  a:1 ;direct; ', [at('http', 'a', 1), 'direct']],
])('reads %s as Chromium does', (answer, proxies) => {
  expect(parsePacAnswer(answer)).toEqual(proxies)
})

it.each(['QUIC a:1', 'PROXY a:65536', 'PROXY a b', 'PROXY u:p@a:1'])(
  'leaves out %s and uses the other routes of the answer',
  (element) => {
    expect(parsePacAnswer(`${element}; PROXY b:2`)).toEqual([at('http', 'b', 2)])
  },
)

it('reads an answer that names no usable route as a direct route', () => {
  expect(parsePacAnswer('QUIC a:1; ')).toEqual(['direct'])
})

it('SECURITY: reads only the first 16 KiB of an answer, and drops the element that is cut off there', () => {
  const beginning = `PROXY a:1;${' '.repeat(16_384 - 22)}PROXY b:80`
  expect(beginning).toHaveLength(16_382)
  expect(parsePacAnswer(beginning)).toEqual([at('http', 'a', 1), at('http', 'b', 80)])
  expect(parsePacAnswer(`${beginning}808`)).toEqual([at('http', 'a', 1)])
})
