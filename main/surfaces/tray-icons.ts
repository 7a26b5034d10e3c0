import { type NativeImage, nativeImage } from 'electron'
import attention2 from './icons/attention@2x.png?inline'
import attentionIco from './icons/attention.ico?asset&asarUnpack'
import attention from './icons/attention.png?inline'
import attentionTemplate2 from './icons/attentionTemplate@2x.png?inline'
import attentionTemplate from './icons/attentionTemplate.png?inline'
import refreshing2 from './icons/refreshing@2x.png?inline'
import refreshingIco from './icons/refreshing.ico?asset&asarUnpack'
import refreshing from './icons/refreshing.png?inline'
import refreshingTemplate2 from './icons/refreshingTemplate@2x.png?inline'
import refreshingTemplate from './icons/refreshingTemplate.png?inline'
import signedIn2 from './icons/signedIn@2x.png?inline'
import signedInIco from './icons/signedIn.ico?asset&asarUnpack'
import signedIn from './icons/signedIn.png?inline'
import signedInTemplate2 from './icons/signedInTemplate@2x.png?inline'
import signedInTemplate from './icons/signedInTemplate.png?inline'
import signedOut2 from './icons/signedOut@2x.png?inline'
import signedOutIco from './icons/signedOut.ico?asset&asarUnpack'
import signedOut from './icons/signedOut.png?inline'
import signedOutTemplate2 from './icons/signedOutTemplate@2x.png?inline'
import signedOutTemplate from './icons/signedOutTemplate.png?inline'
import unreachable2 from './icons/unreachable@2x.png?inline'
import unreachableIco from './icons/unreachable.ico?asset&asarUnpack'
import unreachable from './icons/unreachable.png?inline'
import unreachableTemplate2 from './icons/unreachableTemplate@2x.png?inline'
import unreachableTemplate from './icons/unreachableTemplate.png?inline'
import type { TrayIcon } from './tray-model.ts'

/** The picture at its normal size, and at twice that size. */
type Pictures = readonly [string, string]

const COLOURED: Readonly<Record<TrayIcon, Pictures>> = {
  attention: [attention, attention2],
  refreshing: [refreshing, refreshing2],
  signedIn: [signedIn, signedIn2],
  signedOut: [signedOut, signedOut2],
  unreachable: [unreachable, unreachable2],
}

const TEMPLATES: Readonly<Record<TrayIcon, Pictures>> = {
  attention: [attentionTemplate, attentionTemplate2],
  refreshing: [refreshingTemplate, refreshingTemplate2],
  signedIn: [signedInTemplate, signedInTemplate2],
  signedOut: [signedOutTemplate, signedOutTemplate2],
  unreachable: [unreachableTemplate, unreachableTemplate2],
}

/**
 * The .ico files for Windows, which contain several sizes. Windows picks the size that it needs (Electron: nativeImage,
 * high resolution).
 */
const FILES: Readonly<Record<TrayIcon, string>> = {
  attention: attentionIco,
  refreshing: refreshingIco,
  signedIn: signedInIco,
  signedOut: signedOutIco,
  unreachable: unreachableIco,
}

/** The icon's picture. On macOS this is a template image, which the system colours to match its menu bar. */
export function trayIcon(icon: TrayIcon, platform: NodeJS.Platform): NativeImage | string {
  if (platform === 'win32') return FILES[icon]
  const template = platform === 'darwin'
  const [once, twice] = (template ? TEMPLATES : COLOURED)[icon]
  const image = nativeImage.createFromDataURL(once)
  image.addRepresentation({ scaleFactor: 2, dataURL: twice })
  if (template) image.setTemplateImage(true)
  return image
}
