import { beforeEach, expect, it, vi } from 'vitest'

const image = { addRepresentation: vi.fn(), setTemplateImage: vi.fn() }
vi.mock('electron', () => ({ nativeImage: { createFromDataURL: (url: string) => Object.assign(image, { url }) } }))

const { trayIcon } = await import('./tray-icons.ts')
beforeEach(() => void image.setTemplateImage.mockClear())

// Electron has template images on macOS only, so a stand-in records the calls.
it('the tray icon is a template image on macOS, and a coloured image on Linux', () => {
  const template = { ...(trayIcon('signedIn', 'darwin') as object) }
  expect(image.setTemplateImage).toHaveBeenCalledExactlyOnceWith(true)
  const coloured = { ...(trayIcon('signedIn', 'linux') as object) }
  expect(image.setTemplateImage).toHaveBeenCalledOnce()
  expect(template).not.toMatchObject({ url: Reflect.get(coloured, 'url') })
})

it('the tray icon is a file on Windows', () => {
  expect(trayIcon('signedIn', 'win32')).toMatch(/signedIn\.ico/)
})
