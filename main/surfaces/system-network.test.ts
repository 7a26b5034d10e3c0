import { EventEmitter } from 'node:events'
import type { NetworkInterfaceInfo } from 'node:os'
import type { PowerMonitor } from 'electron'
import { describe, expect, it } from 'vitest'
import { networkFingerprint, systemProxy, watchWake } from './system-network.ts'

const info = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo
const home = { lo: [info('127.0.0.1', true)], wlan0: [info('192.0.2.7'), info('2001:db8::7')] }

it('the network fingerprint doesn’t depend on the order of the addresses', () => {
  const listed = { wlan0: [info('2001:db8::7'), info('192.0.2.7')], lo: [info('127.0.0.1', true)] }
  expect(networkFingerprint(true, () => listed)).toBe(networkFingerprint(true, () => home))
})

it.each([
  ['goes offline', false, home],
  ['gets another address', true, { ...home, wlan0: [info('198.51.100.7')] }],
  ['joins a VPN', true, { ...home, tun0: [info('203.0.113.9')] }],
  ['loses its interface', true, { lo: home.lo }],
])('the network fingerprint changes when the desktop %s', (_, online, interfaces) => {
  expect(networkFingerprint(online, () => interfaces)).not.toBe(networkFingerprint(true, () => home))
})

describe('watchWake', () => {
  function createRig() {
    const net = { online: true }
    const powerMonitor = new EventEmitter()
    const checks = new Set<() => void>()
    const clock = {
      onCheck(check: () => void) {
        checks.add(check)
        return () => void checks.delete(check)
      },
    }
    let woken = 0
    const stop = watchWake({ clock, net, powerMonitor: powerMonitor as unknown as PowerMonitor }, () => woken++)
    const check = () => {
      for (const each of checks) each()
    }
    return { net, powerMonitor, check, stop, woken: () => woken }
  }

  it.each(['resume', 'unlock-screen'])('wakes on %s', (event) => {
    const { powerMonitor, woken } = createRig()
    powerMonitor.emit(event)
    expect(woken()).toBe(1)
  })

  it('wakes once if the network has changed by the time the clock checks its timers', () => {
    const { net, check, woken } = createRig()
    check()
    expect(woken()).toBe(0)
    net.online = false
    check()
    check()
    expect(woken()).toBe(1)
  })
})

const ADDRESS = 'https://data.example.com/'

/** Fakes Electron's sessions. `outcomes` says whether each reading of the proxy settings succeeds. */
function sessions(...outcomes: boolean[]) {
  const done: string[] = []
  const fromPartition = (name: string) => ({
    setSpellCheckerLanguages: (languages: string[]) => void done.push(`languages ${languages}`),
    setSpellCheckerEnabled: (isEnabled: boolean) => void done.push(`spellcheck ${isEnabled}`),
    async forceReloadProxyConfig() {
      done.push(`read ${name}`)
      if (!outcomes.shift()) throw new Error('not now')
    },
    resolveProxy: async (address: string) => `PROXY for ${address}`,
  })
  return { done, fromPartition }
}

it('all requests share one reading of the proxy settings, and a failed reading is repeated', async () => {
  const { done, fromPartition } = sessions(false, true)
  const resolve = systemProxy({ fromPartition })
  const timesRead = () => done.filter((each) => each === 'read latchkey-proxy').length
  const both = await Promise.allSettled([resolve(ADDRESS), resolve(ADDRESS)])
  expect([both.map(({ status }) => status), timesRead()]).toEqual([['rejected', 'rejected'], 1])
  expect([await resolve(ADDRESS), await resolve(ADDRESS), timesRead()]).toEqual([
    `PROXY for ${ADDRESS}`,
    `PROXY for ${ADDRESS}`,
    2,
  ])
})

it('SECURITY: the session for proxy settings has no spell checker, so Chromium downloads no dictionary', async () => {
  const { done, fromPartition } = sessions(true)
  await systemProxy({ fromPartition })(ADDRESS)
  expect(done).toEqual(['languages ', 'spellcheck false', 'read latchkey-proxy'])
})
