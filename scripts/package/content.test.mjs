import { expect, it } from 'vitest'
import { unwantedFiles } from './content.mjs'

it.each(['main/app/app.ts', 'out/main/run-app.cjs.map', 'node_modules/keytar/prebuilds/win32-x64/keytar.node'])(
  '%s is not allowed in a package',
  (file) => {
    expect(unwantedFiles([file], 'linux', 'x64')).toEqual([file])
  },
)
