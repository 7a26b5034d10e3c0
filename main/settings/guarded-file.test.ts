import { describe, expect, it } from 'vitest'
import { type FileSystem, resolveGuarded } from './guarded-file.ts'

interface Entry {
  readonly uid?: number
  readonly mode?: number
  readonly link?: string
}

const fileSystem = (odd: { readonly [path: string]: Entry } = {}): FileSystem => ({
  lstat: (path) => {
    const { uid = 0, mode = 0o755, link } = odd[path] ?? {}
    return { uid, mode, isSymbolicLink: () => link !== undefined }
  },
  readlink: (path) => odd[path]?.link ?? '',
})
const FILE = '/etc/latchkey/policy.json'
const resolve = (odd?: { readonly [path: string]: Entry }) => resolveGuarded(FILE, fileSystem(odd))

describe('a guarded file', () => {
  it.each<[string, { readonly [path: string]: Entry }]>([
    ['a file of another user', { [FILE]: { uid: 1000, mode: 0o644 } }],
    ['a file that its group can write', { [FILE]: { mode: 0o664 } }],
    ['a sticky folder', { '/etc': { mode: 0o1777 } }],
    ['the root folder of another user', { '/': { uid: 1000 } }],
  ])('SECURITY: is refused if there is %s on its path', (_, odd) => {
    expect(() => resolve(odd)).toThrow('others than root')
  })

  it.each<[string, { readonly [path: string]: Entry }, string]>([
    ['no link', {}, FILE],
    ['a folder that is a link', { '/etc': { link: 'private/etc' } }, '/private/etc/latchkey/policy.json'],
    ['links', { [FILE]: { link: '../srv/a.json' }, '/etc/srv': { link: '/opt' } }, '/opt/a.json'],
  ])('is trusted if only root can change it, and is found through %s', (_, odd, found) => {
    expect(resolve(odd)).toBe(found)
  })

  it.each<[string, { readonly [path: string]: Entry }]>([
    ['leads into', { [FILE]: { link: '/srv/shared/policy.json' } }],
    ['leads through', { [FILE]: { link: '/srv/shared/link' }, '/srv/shared/link': { link: '/srv/policy.json' } }],
  ])('SECURITY: is refused if a link %s a folder that anyone can write to', (_, odd) => {
    expect(() => resolve({ ...odd, '/srv/shared': { mode: 0o1777 } })).toThrow('others than root')
  })

  it('is refused if a link leads to itself', () => {
    expect(() => resolve({ [FILE]: { link: FILE } })).toThrow('too many links')
  })
})
