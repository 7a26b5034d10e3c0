import { statSync } from 'node:fs'

/** The largest allowed size of an archive in bytes. */
const LARGEST = 4_000_000

/**
 * The files that the app's archive may contain: the build, and the keychain module for one platform. No sources, tests
 * or source maps.
 * @param {string} platform As Node names it.
 * @param {string} arch
 */
const allowed = (platform, arch) => [
  /^package\.json$/,
  /^out\/main\/([\w-]+\.cjs|chunks\/[\w-]+\.(cjs|ico))$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/renderer\/(index\.html|assets\/[\w-]+\.(js|css))$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js)$/,
  new RegExp(`^node_modules/keytar/prebuilds/${platform}-${arch}/keytar\\.node$`),
]

/**
 * The files in an archive, by their paths.
 * @param {string} archive
 */
export async function filesIn(archive) {
  const { default: asar } = await import('@electron/asar')
  const all = asar.listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/').replace(/^\//, ''))
  return all.filter((name) => !all.some((other) => other.startsWith(`${name}/`))).sort()
}

/**
 * Those of `files` that must not be in an archive.
 * @param {readonly string[]} files
 * @param {string} platform
 * @param {string} arch
 */
export const strangers = (files, platform, arch) =>
  files.filter((file) => !allowed(platform, arch).some((pattern) => pattern.test(file)))

/**
 * The problems with an archive, one per entry.
 * @param {string} archive
 * @param {string} platform
 * @param {string} arch
 */
export async function faultsOf(archive, platform, arch) {
  const files = await filesIn(archive)
  const native = `node_modules/keytar/prebuilds/${platform}-${arch}/keytar.node`
  const { size } = statSync(archive)
  return [
    ...strangers(files, platform, arch).map((file) => `${file} doesn't belong there`),
    ...['package.json', 'out/main/start.cjs', 'out/preload/preload.cjs', 'out/renderer/index.html', native]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing`),
    ...(size > LARGEST ? [`${(size / 1e6).toFixed(1)} MB is more than ${LARGEST / 1e6} MB`] : []),
  ]
}
