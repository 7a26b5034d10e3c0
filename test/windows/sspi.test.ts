/** Windows' own sign-in at a proxy: the first token. A proxy of our own tests the rest of the exchange. */
import { expect, test } from 'vitest'
import { createNegotiator } from '../../main/network/negotiate.ts'
import { windowsWithoutWine } from '../support/systems.ts'

test('Windows makes the first token for a proxy', windowsWithoutWine('Wine has no NTLM without Samba'), async () => {
  const negotiation = await createNegotiator('win32').begin('NTLM', 'proxy.example.com')
  const token = Buffer.from(await negotiation.next(undefined))
  negotiation.end()
  // Signature and type of the first message (MS-NLMP section 2.2.1.1).
  expect([token.subarray(0, 8).toString('latin1'), token.readUInt32LE(8)]).toEqual(['NTLMSSP\0', 1])
})
