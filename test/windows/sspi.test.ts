/** The first token with which Windows signs in at a proxy. Other tests cover the rest, with a proxy of our own. */
import { expect, test } from 'vitest'
import { createNegotiator } from '../../main/network/negotiate.ts'
import { windowsWithoutWine } from '../support/systems.ts'

test('Windows makes the first token for a proxy', windowsWithoutWine('Wine has no NTLM without Samba'), async () => {
  const negotiation = await createNegotiator('win32').begin('NTLM', 'proxy.example.com')
  const token = Buffer.from(await negotiation.next(undefined))
  negotiation.end()
  // The first message has this signature and this type (MS-NLMP section 2.2.1.1).
  expect([token.subarray(0, 8).toString('latin1'), token.readUInt32LE(8)]).toEqual(['NTLMSSP\0', 1])
})
