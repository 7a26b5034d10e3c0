import { execSync } from 'node:child_process'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { delivered } from '../licences.mjs'
import { root } from '../run/project.mjs'

/**
 * Prints the bill of materials as CycloneDX (ECMA-424). With `--omit dev`, npm 11 would also leave out production
 * packages that a dev dependency needs, so the packages that don't ship are removed here.
 */
export function billOfMaterials() {
  const command = 'npm sbom --sbom-format cyclonedx --package-lock-only'
  const bill = JSON.parse(execSync(command, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }))
  const shipped = delivered().map(([folder, { name = folder.split('node_modules/').at(-1), version }]) => [
    name,
    version,
  ])
  const kept = new Set([bill.metadata.component['bom-ref'], ...shipped.map((each) => each.join('@'))])
  const isKept = (/** @type {string} */ reference) => kept.has(reference)
  bill.components = bill.components.filter((/** @type {Record<string, string>} */ each) => kept.has(each['bom-ref']))
  bill.dependencies = bill.dependencies.filter((/** @type {{ ref: string }} */ { ref }) => kept.has(ref))
  for (const each of bill.dependencies) each.dependsOn = each.dependsOn.filter(isKept)
  Object.assign(bill.metadata.component, { type: 'application', name: 'latchkey' })
  return bill
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) console.log(JSON.stringify(billOfMaterials(), undefined, 2))
