import { chmodSync, lchownSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ANOTHER_USER, MODES, posixOnly, rootOnly } from '../../test/support/systems.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { checkFolder, problemOfFolders } from './private-folder.ts'

const ANA = 1000
const MALLORY = 1001

type Made = { readonly uid: number; readonly mode: number; readonly link?: string; readonly file?: true }

/** A file system with these entries, below a `/` that belongs to root. */
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

test('a folder of the user is private if the folders above it belong to root or the user', () => {
  expect(check('/home/ana/data', HOME)).toEqual({ kind: 'private' })
})

describe('the folder itself', () => {
  test.each([
    ['belongs to root', 0, 0o755],
    ['belongs to somebody else', MALLORY, 0o700],
    ['can be written by its group', ANA, 0o770],
    ['can be written by all', ANA, 0o707],
    ['can be written by all, and is sticky', ANA, 0o1777],
  ])('is refused if it %s', (_, uid, mode) => {
    const made = { ...HOME, '/home/ana/data': { uid, mode } }
    expect(check('/home/ana/data', made)).toEqual({ kind: 'unsafe', path: '/home/ana/data' })
  })
})

describe('a folder above the checked folder', () => {
  test.each([
    ['/home/ana', 'belongs to somebody else', MALLORY, 0o700],
    ['/home', 'belongs to somebody else', MALLORY, 0o755],
    ['/', 'belongs to somebody else', MALLORY, 0o755],
    ['/home', 'belongs to somebody else, and is sticky', MALLORY, 0o1777],
    ['/home', 'can be written by its group', 0, 0o775],
    ['/', 'can be written by all', 0, 0o777],
  ])('%s is refused if it %s', (path, _, uid, mode) => {
    expect(check('/home/ana/data', { ...HOME, [path]: { uid, mode } })).toEqual({ kind: 'unsafe', path })
  })

  test('may be writable by all if it is sticky and belongs to root, as /tmp is', () => {
    expect(check('/home/ana/data', { ...HOME, '/home': { uid: 0, mode: 0o1777 } })).toEqual({ kind: 'private' })
  })
})

describe('links', () => {
  test('an absolute or relative link is followed, and its target is checked from / down', () => {
    const srv = { '/srv': { uid: 0, mode: 0o755 }, '/srv/ana': { uid: ANA, mode: 0o700 } }
    for (const target of ['/srv/ana', '../../srv/ana', '/home/ana/other']) {
      const made = { ...HOME, ...srv, '/home/ana/data': link(target), '/home/ana/other': link('/srv/./ana/') }
      expect(check('/home/ana/data', made)).toEqual({ kind: 'private' })
      const open = { ...made, '/srv': { uid: 0, mode: 0o777 } }
      expect(check('/home/ana/data', open)).toEqual({ kind: 'unsafe', path: '/srv' })
    }
  })

  test('a link of another user is refused, whatever its target', () => {
    const made = { ...HOME, '/tmp': { uid: 0, mode: 0o1777 }, '/tmp/x': link('/home/ana/data', MALLORY) }
    expect(check('/tmp/x', made)).toEqual({ kind: 'unsafe', path: '/tmp/x' })
  })

  test('a link that leads to itself is refused', () => {
    const made = { ...HOME, '/home/ana/data': link('data') }
    expect(check('/home/ana/data', made)).toEqual({ kind: 'unsafe', path: '/home/ana/data' })
  })
})

describe('a missing folder', () => {
  test('is reported with its path if the folders above it pass the check', () => {
    expect(check('/home/ana/data/a/b', HOME)).toEqual({ kind: 'missing', path: '/home/ana/data/a' })
    const open = { ...HOME, '/home/ana': { uid: ANA, mode: 0o777 } }
    expect(check('/home/ana/data/a/b', open)).toEqual({ kind: 'unsafe', path: '/home/ana' })
  })

  test('is also reported if the path leads to a file', () => {
    const made: Readonly<Record<string, Made>> = { ...HOME, '/home/ana/file': { uid: ANA, mode: 0o600, file: true } }
    expect(check('/home/ana/file', made)).toEqual({ kind: 'missing', path: '/home/ana/file' })
  })
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

describe('a folder that the environment names', posixOnly(MODES), () => {
  const uid = process.getuid?.() ?? 0
  const newFolder = (mode: number): string => {
    const folder = temporaryFolder()
    chmodSync(folder, mode)
    return folder
  }

  test.each([0o700, 0o755, 0o775])('may have mode %o, if it belongs to the user', (mode) => {
    expect(problemOfFolders([newFolder(mode)], uid)).toBeUndefined()
  })

  test.each([0o777, 0o1777, 0o702])('is refused with mode %o', (mode) => {
    const folder = newFolder(mode)
    expect(problemOfFolders([newFolder(0o700), folder], uid)).toEqual({ code: 'notPrivate', path: folder })
  })

  test('is refused if it belongs to someone else', () => {
    const folder = newFolder(0o755)
    expect(problemOfFolders([folder], uid + 1)).toEqual({ code: 'notPrivate', path: folder })
  })

  test('is refused if its path is another user’s link', rootOnly(ANOTHER_USER), () => {
    const [own, shared] = [newFolder(0o700), newFolder(0o755)]
    const link = path.join(shared, 'link')
    mkdirSync(path.join(own, 'config'))
    symlinkSync(path.join(own, 'config'), link)
    expect(problemOfFolders([link], uid)).toBeUndefined()
    lchownSync(link, MALLORY, MALLORY)
    expect(problemOfFolders([link], uid)).toEqual({ code: 'notPrivate', path: link })
  })
})
