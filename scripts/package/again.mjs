/**
 * `node scripts/package/again.mjs PROJECT OUTPUT`: packages the checkout PROJECT as the test build that equals the
 * published one.
 */
import { argv } from 'node:process'
import { resolveElectron } from '../setup/electron.mjs'
import { pack, thisSystem } from './pack.mjs'

const [project = '', output = ''] = argv.slice(2)
const electron = await resolveElectron({ allowFallback: true })
await pack({ system: thisSystem(), targets: ['dir'], archs: [], test: { electron, driven: false, output, project } })
