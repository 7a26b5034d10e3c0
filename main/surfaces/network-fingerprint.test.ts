import type { NetworkInterfaceInfo } from 'node:os'
import { expect, it } from 'vitest'
import { networkFingerprint } from './network-fingerprint.ts'

const info = (address: string, internal = false) => ({ address, internal }) as NetworkInterfaceInfo
const home = { lo: [info('127.0.0.1', true)], wlan0: [info('192.0.2.7'), info('2001:db8::7')] }

it('stays the same while the network does, in whatever order the system lists it', () => {
  const listed = { wlan0: [info('2001:db8::7'), info('192.0.2.7')], lo: [info('127.0.0.1', true)] }
  expect(networkFingerprint(true, () => listed)).toBe(networkFingerprint(true, () => home))
})

it.each([
  ['goes offline', false, home],
  ['gets another address', true, { ...home, wlan0: [info('198.51.100.7')] }],
  ['joins a VPN', true, { ...home, tun0: [info('203.0.113.9')] }],
  ['loses its interface', true, { lo: home.lo }],
])('changes when the desktop %s', (_, online, interfaces) => {
  expect(networkFingerprint(online, () => interfaces)).not.toBe(networkFingerprint(true, () => home))
})

it('tells at least of going off line where the system keeps the addresses back', () => {
  const refuse = () => {
    throw new Error('uv_interface_addresses returned Unknown system error 13')
  }
  expect(networkFingerprint(true, refuse)).not.toBe(networkFingerprint(false, refuse))
})
