import { EventEmitter } from 'node:events'
import type { NetworkInterfaceInfo } from 'node:os'
import type { PowerMonitor } from 'electron'
import { expect, it } from 'vitest'
import { networkFingerprint, systemProxy, watchWake } from './system-network.ts'

const info = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo
const home = { lo: [info('127.0.0.1', true)], wlan0: [info('192.0.2.7'), info('2001:db8::7')] }

it.each([
  ['lists its addresses in another order', true, { wlan0: home.wlan0.toReversed(), lo: home.lo }, true],
  ['goes offline', false, home, false],
  ['joins a VPN', true, { ...home, tun0: [info('203.0.113.9')] }, false],
])('if the desktop $0, the network fingerprint stays the same: $3', (_, online, interfaces, isSame) => {
  const same = networkFingerprint(online, () => interfaces) === networkFingerprint(true, () => home)
  expect(same).toBe(isSame)
})

it('the app wakes on resume and unlock, and once if the network has changed when the clock checks its timers', () => {
  const net = { online: true }
  const powerMonitor = new EventEmitter()
  let check = () => {}
  const clock = {
    onCheck(look: () => void) {
      check = look
      return () => {}
    },
  }
  let woken = 0
  const stop = watchWake({ clock, net, powerMonitor: powerMonitor as unknown as PowerMonitor }, () => woken++)
  powerMonitor.emit('resume')
  powerMonitor.emit('unlock-screen')
  expect(woken).toBe(2)
  check()
  net.online = false
  check()
  check()
  expect(woken).toBe(3)
  stop()
  powerMonitor.emit('resume')
  expect(woken).toBe(3)
})

it('SECURITY: reading the proxy settings downloads no dictionary; requests share a reading, and a failed one is repeated', async () => {
  const outcomes = [false, true]
  const done: string[] = []
  const fromPartition = () => ({
    setSpellCheckerLanguages: (languages: string[]) => void done.push(`languages ${languages}`),
    setSpellCheckerEnabled: (isEnabled: boolean) => void done.push(`spellcheck ${isEnabled}`),
    async forceReloadProxyConfig() {
      done.push('read')
      if (!outcomes.shift()) throw new Error('not now')
    },
    resolveProxy: async (address: string) => `PROXY for ${address}`,
  })
  const resolve = systemProxy({ fromPartition })
  const reading = ['languages ', 'spellcheck false', 'read']
  const both = await Promise.allSettled([resolve('a'), resolve('b')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(done).toEqual(reading)
  expect([await resolve('a'), await resolve('b')]).toEqual(['PROXY for a', 'PROXY for b'])
  expect(done).toEqual([...reading, ...reading])
})
