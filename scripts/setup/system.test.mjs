import { expect, it } from 'vitest'
import { missingIn } from './system.mjs'

it('missingIn returns each missing library once', () => {
  const output = `/opt/electron/electron:
	linux-vdso.so.1 (0x00007ffd)
	libnss3.so => not found
	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f00)
/opt/keytar.node:
	libsecret-1.so.0 => not found
	libnss3.so => not found
`
  expect(missingIn(output)).toEqual(['libnss3.so', 'libsecret-1.so.0'])
})
