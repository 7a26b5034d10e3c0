import { chmodSync, lchownSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ANOTHER_USER, MODES, posixOnly, rootOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { checkFolder, preparePrivateFolder, problemOfFolders } from './private-folder.ts'

const ANA = 1000
const MALLORY = 1001

type Made = { readonly uid: number; readonly mode: number; readonly link?: string; readonly file?: true }

function systemOf(made: Readonly<Record<string, Made>>) {
  const entries: Readonly<Record<string, Made>> = { '/': { uid: 0, mode: 0o755 }, ...made }
  return {
    lstat(path: string) {
      const entry = entries[path]
      if (entry === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
      const { uid, mode, link, file } = entry
      return { uid, mode, isSymbolicLink: () => link !== undefined, isDirectory: () => !(link ?? file) }
    },
    readlink: (path: string) => entries[path]?.link ?? '',
  }
}

const check = (folder: string, made: Readonly<Record<string, Made>>) => checkFolder(folder, ANA, systemOf(made))

const HOME: Readonly<Record<string, Made>> = {
  '/home': { uid: 0, mode: 0o755 },
  '/home/ana': { uid: ANA, mode: 0o755 },
  '/home/ana/data': { uid: ANA, mode: 0o700 },
}
const link = (target: string, uid = ANA): Made => ({ uid, mode: 0o777, link: target })

test.each<[string, string, Made]>([
  ['belongs to root', '/home/ana/data', { uid: 0, mode: 0o755 }],
  ['belongs to somebody else', '/home/ana/data', { uid: MALLORY, mode: 0o700 }],
  ['can be written by its group', '/home/ana/data', { uid: ANA, mode: 0o770 }],
  ['can be written by all', '/home/ana/data', { uid: ANA, mode: 0o707 }],
  ['can be written by all, and is sticky', '/home/ana/data', { uid: ANA, mode: 0o1777 }],
  ['belongs to somebody else', '/home/ana', { uid: MALLORY, mode: 0o700 }],
  ['belongs to somebody else, and is sticky', '/home', { uid: MALLORY, mode: 0o1777 }],
  ['can be written by its group', '/home', { uid: 0, mode: 0o775 }],
  ['can be written by all', '/', { uid: 0, mode: 0o777 }],
  ['is a link to itself', '/home/ana/data', link('data')],
])('a folder is refused if it %s, or if a folder above it does: %s', (_, unsafe, made) => {
  expect(check('/home/ana/data', HOME)).toEqual({ kind: 'private' })
  expect(check('/home/ana/data', { ...HOME, [unsafe]: made })).toEqual({ kind: 'unsafe', path: unsafe })
})

test('a folder above may be writable by all if it is sticky and belongs to root, as /tmp is', () => {
  expect(check('/home/ana/data', { ...HOME, '/home': { uid: 0, mode: 0o1777 } })).toEqual({ kind: 'private' })
})

test('an absolute or relative link is followed, and its target is checked from / down', () => {
  const srv = { '/srv': { uid: 0, mode: 0o755 }, '/srv/ana': { uid: ANA, mode: 0o700 } }
  for (const target of ['/srv/ana', '../../srv/ana', '/home/ana/other']) {
    const made = { ...HOME, ...srv, '/home/ana/data': link(target), '/home/ana/other': link('/srv/./ana/') }
    expect(check('/home/ana/data', made)).toEqual({ kind: 'private' })
    const open = { ...made, '/srv': { uid: 0, mode: 0o777 } }
    expect(check('/home/ana/data', open)).toEqual({ kind: 'unsafe', path: '/srv' })
  }
})

test('SECURITY: a link of another user is refused, whatever its target', () => {
  const made = { ...HOME, '/tmp': { uid: 0, mode: 0o1777 }, '/tmp/x': link('/home/ana/data', MALLORY) }
  expect(check('/tmp/x', made)).toEqual({ kind: 'unsafe', path: '/tmp/x' })
})

test('a missing folder, or a file in its place, is reported if the folders above it pass the check', () => {
  expect(check('/home/ana/data/a/b', HOME)).toEqual({ kind: 'missing', path: '/home/ana/data/a' })
  const open = { ...HOME, '/home/ana': { uid: ANA, mode: 0o777 } }
  expect(check('/home/ana/data/a/b', open)).toEqual({ kind: 'unsafe', path: '/home/ana' })
  const made: Readonly<Record<string, Made>> = { ...HOME, '/home/ana/file': { uid: ANA, mode: 0o600, file: true } }
  expect(check('/home/ana/file', made)).toEqual({ kind: 'missing', path: '/home/ana/file' })
})

test('a `..` after a link leads up from the link’s target, as in the kernel', () => {
  const made = {
    ...HOME,
    '/home/mallory': { uid: MALLORY, mode: 0o755 },
    '/home/mallory/open': { uid: MALLORY, mode: 0o777 },
    '/home/ana/link': link('/home/mallory/open'),
  }
  expect(check('/home/ana/link/../data', made)).toEqual({ kind: 'unsafe', path: '/home/mallory' })
})

test('SECURITY: a missing data folder is created for the user alone', posixOnly(MODES), () => {
  const folder = path.join(temporaryFolder(), 'a', 'data')
  expect(preparePrivateFolder(folder, process.getuid?.() ?? 0)).toBeUndefined()
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('SECURITY: a data folder that another user has made first is refused', rootOnly(ANOTHER_USER), () => {
  const folder = path.join(temporaryFolder(), 'data')
  expect(preparePrivateFolder(folder, ANA)).toEqual({ code: 'notPrivate', path: folder })
})

describe('a folder that the environment names', posixOnly(MODES), () => {
  const uid = process.getuid?.() ?? 0
  const newFolder = (mode: number): string => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    return folder
  }

  test('may have mode 775 if it belongs to the user, but not be writable by all', () => {
    const folder = newFolder(0o775)
    expect(problemOfFolders([folder], uid)).toBeUndefined()
    expect(problemOfFolders([folder], uid + 1)).toEqual({ code: 'notPrivate', path: folder })
    const open = newFolder(0o1777)
    expect(problemOfFolders([folder, open], uid)).toEqual({ code: 'notPrivate', path: open })
  })

  test('SECURITY: is refused if its path is another user’s link', rootOnly(ANOTHER_USER), () => {
    const [own, shared] = [newFolder(0o700), newFolder(0o755)]
    const link = path.join(shared, 'link')
    mkdirSync(path.join(own, 'config'))
    symlinkSync(path.join(own, 'config'), link)
    expect(problemOfFolders([link], uid)).toBeUndefined()
    lchownSync(link, MALLORY, MALLORY)
    expect(problemOfFolders([link], uid)).toEqual({ code: 'notPrivate', path: link })
  })
})
