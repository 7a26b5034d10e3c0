import { ensureSystem } from '../../scripts/setup/system.mjs'

/** Installs the system's packages that the tests use. Some of these tests open a window of another program. */
export default () => ensureSystem({ display: true, tests: true })
