/** `npm run look -- --docs` makes the pictures in README.md and the documentation, `docs/images/*.png`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { selfSignedCertificate } from '../../demo/certificate.ts'
import { startDemoService } from '../../demo/service.ts'
import { ANA } from '../../demo/users.ts'
import { startKeyring } from '../keyring/keyring.ts'
import { FIXTURES } from '../look/fixtures/index.ts'
import { openStage, STANDARD } from '../look/window.ts'
import { install, launch, ROOT } from '../support/app.ts'
import prepare, { ordinaryFolder, ordinaryUser, own } from '../support/ordinary-user.ts'
import { Picture } from '../support/picture.ts'
import { startHttpProxy } from '../support/proxy/http-proxy.ts'
import { startXfce, type Xfce } from '../support/xfce/xfce.ts'
import { pictureOfNotebook } from './notebook.ts'

const HOST = 'data.example.com'
/** The views that README.md shows. */
const VIEWS = ['sign-in', 'signed-in', 'unreachable'] as const
/** The part of the screen that the tray's menu covers. */
const MENU = { width: 345, height: 300 }
const WHITE = [255, 255, 255] as const

const undo: (() => unknown)[] = []
const begin = <T>(thing: T, end: (thing: T) => unknown): T => {
  undo.push(() => end(thing))
  return thing
}

function save(name: string, picture: Picture): void {
  const file = picture.encode()
  writeFileSync(path.join(ROOT, 'docs/images', `${name}.png`), file)
  console.log(`docs/images/${name}.png: ${picture.width} x ${picture.height}, ${Math.ceil(file.length / 1_000)} KB`)
}

async function takeWindows(): Promise<void> {
  const window = await openStage()
  try {
    for (const name of VIEWS) {
      const fixture = FIXTURES.find((each) => each.name === name)
      if (fixture === undefined) throw new Error(`there is no fixture ${name}`)
      await window.show(fixture)
      await window.resize(STANDARD)
      save(name, Picture.decode(await window.picture()))
    }
  } finally {
    await window.stop()
  }
}

/**
 * Takes pictures of the tray's menu and of a notebook. A proxy leads `HOST` to the demo service, so no picture shows a
 * local address.
 */
async function takeDesktop(): Promise<void> {
  const installation = begin(install(), (each) => each.remove())
  const folder = begin(ordinaryFolder('pictures'), (each) => each.remove()).path
  const tls = selfSignedCertificate({ host: HOST })
  const service = begin(await startDemoService({ tls }), (each) => each.stop())
  const proxy = begin(await startHttpProxy({ names: { [HOST]: service.port } }), (each) => each.stop())
  const keyring = begin(await startKeyring({ ...ordinaryUser() }), (each) => each.stop())
  const xfce = begin(await startXfce(keyring.env.DBUS_SESSION_BUS_ADDRESS), (each) => each.stop())
  const certificates = path.join(folder, 'certificates.pem')
  writeFileSync(certificates, tls.cert)
  const network = { https_proxy: `http://127.0.0.1:${proxy.port}`, SSL_CERT_FILE: certificates }
  const dataFolder = path.join(folder, 'data')
  mkdirSync(dataFolder, { mode: 0o700 })
  own(dataFolder)

  const address = `https://${HOST}`
  const home = { TMPDIR: keyring.env.HOME, LATCHKEY_BASE_URL: address }
  const env = { ...keyring.env, ...xfce.env, ...network, ...home }
  const running = begin(await launch({ installation, dataFolder, env }), (each) => each.quit())
  const page = await running.window()
  await page.getByLabel('Username').fill(ANA.username)
  await page.getByLabel('Password', { exact: true }).fill(ANA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /: menu$/ }).waitFor()
  await page.close()

  save('tray', await pictureOfMenu(xfce))
  save('notebook', Picture.decode(await pictureOfNotebook({ folder, dataFolder, service: address, env: network })))
}

/** Takes a picture of the panel with the icon and its open menu. */
async function pictureOfMenu({ screen, place }: Xfce): Promise<Picture> {
  const panel = () => screen.picture().cut({ ...place, height: place.height - 2 })
  await settled(() => panel())
  const icon = panel().drawing(panel().at(0, 0))
  if (icon === undefined) throw new Error('the panel has no icon')
  await screen.moveTo(icon.x + 8, icon.y + 8)
  await screen.click(3)
  await screen.moveTo(100, 700)
  const corner = { x: place.width - MENU.width, y: 0, ...MENU }
  const isOpen = () => screen.picture().at(place.width - 20, 60)[0] < 128
  while (!isOpen()) await pause()
  const shown = await settled(() => screen.picture().cut(corner))
  await screen.press('Escape')
  return shown.cut(shown.drawing(WHITE) ?? corner)
}

/** Resolves to the picture once it no longer changes. */
async function settled(look: () => Picture): Promise<Picture> {
  let last = look()
  for (;;) {
    await pause()
    const now = look()
    if (now.pixels.equals(last.pixels)) return now
    last = now
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 500))

begin(prepare(), (end) => end())
try {
  await takeWindows()
  await takeDesktop()
} finally {
  for (const each of undo.reverse()) await each()
}
