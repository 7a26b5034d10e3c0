/// <reference types="vite/types/importMeta.d.ts" />
import { type NativeImage, nativeImage } from 'electron'
import attention from './icons/attention.ico?asset&asarUnpack'
import refreshing from './icons/refreshing.ico?asset&asarUnpack'
import signedIn from './icons/signedIn.ico?asset&asarUnpack'
import signedOut from './icons/signedOut.ico?asset&asarUnpack'
import unreachable from './icons/unreachable.ico?asset&asarUnpack'
import type { TrayIcon } from './tray-model.ts'

const PICTURES = import.meta.glob<string>(['./icons/*.png', '!./icons/{app,window}.png'], {
  query: '?inline',
  import: 'default',
  eager: true,
})

/** Windows picks the size that it needs from an .ico file (Electron: nativeImage, high resolution). */
const FILES: Readonly<Record<TrayIcon, string>> = { attention, refreshing, signedIn, signedOut, unreachable }

// Without its picture, Electron would show an empty icon, in one state and on one system only.
for (const icon of Object.keys(FILES))
  for (const end of ['', '@2x', 'Template', 'Template@2x'])
    if (PICTURES[`./icons/${icon}${end}.png`] === undefined) throw new Error(`${icon}${end}.png is missing`)

/** The icon's picture. On macOS this is a template image, which the system colours to match its menu bar. */
export function trayIcon(icon: TrayIcon, platform: NodeJS.Platform): NativeImage | string {
  if (platform === 'win32') return FILES[icon]
  const isTemplate = platform === 'darwin'
  const picture = (end: string) => PICTURES[`./icons/${icon}${isTemplate ? 'Template' : ''}${end}.png`] ?? ''
  const image = nativeImage.createFromDataURL(picture(''))
  image.addRepresentation({ scaleFactor: 2, dataURL: picture('@2x') })
  if (isTemplate) image.setTemplateImage(true)
  return image
}
