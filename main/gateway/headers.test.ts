import { expect, it } from 'vitest'
import { headersToService, headersToTool, locationFor } from './headers.ts'

const sent = { host: 'data.example.com', token: 'token-1', gateway: '127.0.0.1:24817', isChunked: false }
const toService = (...rawHeaders: string[]) => headersToService(rawHeaders, sent)
const OWN = toService()

it('SECURITY: credentials, cookies and hop-by-hop headers don’t reach the service', () => {
  const kept = ['Accept', 'text/csv', 'accept-encoding', 'gzip', 'Range', 'bytes=0-9', 'Content-Length', '3']
  const dropped = [
    ...['Authorization', 'Basic eA==', 'Cookie', 'sid=1', 'Cookie2', 'x', 'Proxy-Authorization', 'Basic eA=='],
    ...['Keep-Alive', '1', 'Connection', 'X-Once, close,content-length', 'X-Once', 'a', 'Content_Length', '50'],
    ...['TE', 'trailers', 'Trailer', 'X', 'Transfer-Encoding', 'chunked', 'Upgrade', 'h2c', 'HTTP2-Settings', 'AAMA'],
    ...['Expect', '100-continue', 'X-Forwarded-For', '8.8.8.8', 'X_Forwarded_For', '8.8.8.8', 'Forwarded', 'for=evil'],
    ...['Host', '127.0.0.1:24817', 'X-Real-IP', '8.8.8.8', 'X-Original-URL', '/admin', 'X-Rewrite-URL', '/admin'],
  ]
  expect(toService(...kept, ...dropped)).toEqual([...OWN.slice(0, 2), ...kept, ...OWN.slice(2)])
  expect(OWN).toEqual([
    ...['Host', 'data.example.com', 'Authorization', 'Bearer token-1', 'X-Forwarded-For', '127.0.0.1'],
    ...['X-Forwarded-Host', '127.0.0.1:24817', 'X-Forwarded-Proto', 'http'],
  ])
})

it('SECURITY: cookies, permissions for web pages and requests for a password don’t reach the tool', () => {
  const kept = ['Content-Type', 'text/csv', 'Content-Encoding', 'gzip', 'ETag', '"a"', 'Vary', 'Accept', 'Link', '</b>']
  const dropped = [
    ...[
      'Set-Cookie',
      'sid=1',
      'set-cookie2',
      'a',
      'WWW-Authenticate',
      'Basic realm="x"',
      'Proxy-Authenticate',
      'Basic',
    ],
    ...['Access-Control-Allow-Origin', '*', 'Connection', 'X-Hop', 'X-Hop', '1', 'Authorization', 'Bearer token-1'],
    ...['Keep-Alive', 'timeout=5', 'Transfer-Encoding', 'chunked', 'Strict-Transport-Security', 'max-age=1'],
    ...['Alt-Svc', 'h3=":443"', 'Refresh', '0; url=https://evil.example', 'Clear-Site-Data', '"*"', 'Location', '/x'],
  ]
  expect(headersToTool([...kept, ...dropped], undefined)).toEqual(kept)
  expect(headersToTool(dropped, 'http://127.0.0.1:24817/x')).toEqual(['Location', 'http://127.0.0.1:24817/x'])
})

it.each([
  ['b?c#d', 'http://127.0.0.1:24817/v1/b?c#d'],
  ['https://data.example.com:443/v2', 'http://127.0.0.1:24817/v2'],
  ['http://data.example.com/v2', 'otherServer'],
  ['https://data.example.com:8443/v2', 'otherServer'],
  ['//evil.example/v1', 'otherServer'],
  [String.raw`\\evil.example`, 'otherServer'],
  ['https://ana@data.example.com/', 'otherServer'],
  ['javascript:alert(1)', 'otherServer'],
  ['http://[', 'otherServer'],
])('SECURITY: a redirect to %s becomes %s', (value, result) => {
  expect(locationFor(value, new URL('https://data.example.com/v1/a'), '127.0.0.1:24817')).toBe(result)
})
