import { statSync } from 'node:fs'

const LARGEST_ARCHIVE_BYTES = 4_000_000

/** @param {string} platform As Node names it. @param {string} arch */
const nativeModules = (platform, arch) => [
  `node_modules/keytar/prebuilds/${platform}-${arch}/keytar.node`,
  `node_modules/@koromix/koffi-${platform}-${arch}/${platform}_${arch}/koffi.node`,
]

/** The build and the modules that load the native ones: no sources, tests or source maps. */
const ALLOWED = [
  /^package\.json$/,
  /^out\/main\/([\w-]+\.cjs|chunks\/[\w-]+\.(cjs|ico))$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/renderer\/(index\.html|assets\/[\w-]+\.(js|css))$/,
  /^node_modules\/keytar\/(package\.json|lib\/keytar\.js)$/,
  /^node_modules\/koffi\/(package\.json|index\.cjs|src\/koffi\/index\.cjs|src\/koffi\/src\/static\.cjs)$/,
  /^node_modules\/@koromix\/koffi-[\w-]+\/(package\.json|index\.js)$/,
]

/** The files in an archive, by path. @param {string} archive */
export async function filesIn(archive) {
  const { default: asar } = await import('@electron/asar')
  const all = asar.listPackage(archive, { isPack: false }).map((name) => name.replaceAll('\\', '/').replace(/^\//, ''))
  return all.filter((name) => !all.some((other) => other.startsWith(`${name}/`))).sort()
}

/** @param {readonly string[]} files @param {string} platform @param {string} arch */
export const unwantedFiles = (files, platform, arch) =>
  files.filter((file) => !nativeModules(platform, arch).includes(file) && !ALLOWED.some((each) => each.test(file)))

/** What is wrong with an archive. @param {string} archive @param {string} platform @param {string} arch */
export async function faultsOf(archive, platform, arch) {
  const files = await filesIn(archive)
  const wanted = ['package.json', 'out/main/start.cjs', 'out/preload/preload.cjs', 'out/renderer/index.html']
  const missing = [...wanted, ...nativeModules(platform, arch)].filter((file) => !files.includes(file))
  const { size } = statSync(archive)
  return [
    ...unwantedFiles(files, platform, arch).map((file) => `${file} doesn't belong there`),
    ...missing.map((file) => `${file} is missing`),
    ...(size > LARGEST_ARCHIVE_BYTES ? [`${size} bytes are more than ${LARGEST_ARCHIVE_BYTES}`] : []),
  ]
}
