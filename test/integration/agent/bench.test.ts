/** The benchmark's clients, commands and statistics measure what they claim to measure. */
import { linkSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { output, time } from '../../../bench/commands.ts'
import { probe, run } from '../../../bench/load.ts'
import { interleave } from '../../../bench/rounds.ts'
import { quantile, ratioOf } from '../../../bench/statistics.ts'
import { newFolder, PATH } from '../cli/programs.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const one of undo.splice(0)) await one()
})

async function serve(listener: RequestListener) {
  const { folder, remove } = newFolder()
  const socket = `${folder}/http.sock`
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const stop = () => server.close().closeAllConnections()
  undo.push(stop, remove)
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const probed = { socket, request, isGood: (begin: Buffer) => begin.includes(' 200 ') }
  return { server, stop, endpoint: await probe(probed) }
}

describe('a load', () => {
  test.each([
    [true, 45, 5],
    [false, 40, 40],
  ])('a load run has one sample for each request (connections kept: %s)', async (keep, asked, connected) => {
    let [requests, connections] = [0, 0]
    const { server, endpoint } = await serve((_, response) => {
      requests += 1
      response.end('x'.repeat(100_000))
    })
    server.on('connection', () => {
      connections += 1
    })
    requests = 0
    const { samples, refused } = await run(endpoint, { clients: 5, requests: 40, keep })
    expect([samples.length, refused]).toEqual([40, 0])
    expect(Math.min(...samples)).toBeGreaterThan(0)
    // If connections are kept, one uncounted request warms up each of them.
    expect([requests, connections]).toEqual([asked, connected])
  })

  test('a load run fails if an answer is wrong', async () => {
    let status = 200
    const { endpoint } = await serve((_, response) => {
      response.statusCode = status
      response.end('a token')
    })
    status = 503
    await expect(run(endpoint, { clients: 1, requests: 1, keep: false })).rejects.toThrow('a wrong answer')
  })

  test('a load run counts refused connections', async () => {
    const { stop, endpoint } = await serve((_, response) => response.end('a token'))
    const socket = `${endpoint.socket}.dead`
    linkSync(endpoint.socket, socket)
    stop()
    const load = run({ ...endpoint, socket }, { clients: 2, requests: 6, keep: false })
    expect(await load).toEqual({ samples: [], refused: 6 })
  })
})

describe('a command', () => {
  const env = { PATH }

  test('measuring a command gives one duration for each run', async () => {
    const began = performance.now()
    const taken = await time({ words: ['sleep', '0.05'], env }, 4)
    expect(taken).toHaveLength(4)
    expect(Math.min(...taken)).toBeGreaterThan(25)
    expect(taken.reduce((sum, each) => sum + each)).toBeLessThan(performance.now() - began)
  })

  test('measuring a command fails if the command fails', async () => {
    await expect(time({ words: ['false'], env }, 4)).rejects.toThrow('false ended with 1')
    await expect(output({ words: ['false'], env })).rejects.toMatchObject({ code: 1 })
  })
})

test('quantiles are interpolated; a ratio compares medians, and its quartiles come from the rounds’ ratios', () => {
  expect([0, 0.5, 0.75, 1].map((share) => quantile([4, 1, 3, 2], share))).toEqual([1, 2.5, 3.25, 4])
  expect(ratioOf([10, 200, 30], [10, 100, 10])).toEqual({ ratio: 3, low: 1.5, high: 2.5 })
})

test('the programs take turns at going first, and the first round does not count', async () => {
  let order = ''
  const side = (name: string) => async () => {
    order += name
    return order.length
  }
  expect(await interleave(2, { latchkey: side('L'), bare: side('b') })).toEqual({ latchkey: [4, 5], bare: [3, 6] })
  expect(order).toBe('LbbLLb')
})
