import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { delivered } from '../licences.mjs'
import { main } from '../run/command.mjs'
import { npm } from '../setup/packages.mjs'

/**
 * `node scripts/package/sbom.mjs` prints the bill of materials as CycloneDX (ECMA-424), from the lock file. npm lists all
 * packages: with `--omit dev`, npm 11 also leaves out production packages that a dev dependency needs too.
 * @typedef {{ 'bom-ref': string, name: string, version: string, purl: string }} Component
 * @typedef {{ ref: string, dependsOn: string[] }} Dependency
 * @returns {Promise<{ bomFormat: string, specVersion: string, components: Component[] } & Record<string, unknown>>}
 */
export async function billOfMaterials() {
  const { output } = await npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'])
  const bill = JSON.parse(output)
  const shipped = delivered().map(
    ([folder, { name, version }]) => `${name ?? folder.split('node_modules/').at(-1)}@${version}`,
  )
  const kept = new Set([bill.metadata.component['bom-ref'], ...shipped])
  const isKept = (/** @type {string} */ reference) => kept.has(reference)
  Object.assign(bill.metadata.component, { type: 'application', name: 'latchkey' })
  return {
    ...bill,
    components: bill.components.filter((/** @type {Component} */ each) => isKept(each['bom-ref'])),
    dependencies: bill.dependencies
      .filter((/** @type {Dependency} */ { ref }) => isKept(ref))
      .map((/** @type {Dependency} */ { ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await main(async () => {
    console.log(JSON.stringify(await billOfMaterials(), undefined, 2))
    return 0
  })
}
