/** `node scripts/package/repack.mjs PROJECT OUTPUT` packages another checkout like the build in `dist/test/shipped`. */
import { argv } from 'node:process'
import { resolveElectron } from '../setup/electron.mjs'
import { pack, thisSystem } from './pack.mjs'

const [project = '', output = ''] = argv.slice(2)
const electron = await resolveElectron({ allowFallback: true })
await pack({ system: thisSystem(), targets: ['dir'], archs: [], test: { electron, driven: false, output, project } })
