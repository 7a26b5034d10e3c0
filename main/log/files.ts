/** The log's files: the current one and the older ones. */
import { accessSync, constants, existsSync, renameSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './report.ts'

/** The number of files, including the current one. */
export const MOST_FILES = 5
/** A file that has reached this size is rotated, so a file is longer than this by at most one line. */
export const LARGEST_FILE = 1024 * 1024

/** The path of the file with this age: 0 is the current file, 4 the oldest. */
export const fileOf = (folder: string, age: number): string =>
  path.join(folder, age === 0 ? 'latchkey.log' : `latchkey.${age}.log`)

/** Renames every file to the next older one and overwrites the oldest. Throws if the system refuses. */
export function rotateFiles(folder: string): void {
  for (let age = MOST_FILES - 2; age >= 0; age--) {
    const file = fileOf(folder, age)
    if (existsSync(file)) renameSync(file, fileOf(folder, age + 1))
  }
}

/** Returns the system's error code if the log can't be written to this folder. Creates nothing. */
export function whyUnwritable(folder: string): string | undefined {
  const file = fileOf(folder, 0)
  for (let each = file; ; each = path.dirname(each)) {
    try {
      accessSync(each, constants.W_OK)
      // Windows answers ENOENT, not ENOTDIR, for a path below a file.
      return each === file || statSync(each).isDirectory() ? undefined : 'ENOTDIR'
    } catch (error) {
      const code = codeOf(error)
      // A missing folder can be created in an existing one.
      if (code !== 'ENOENT' || each === path.dirname(each)) return code
    }
  }
}

/** The last lines, the oldest of them first. Unreadable files count as missing. */
export async function tailOf(folder: string, count: number): Promise<readonly string[]> {
  let lines: readonly string[] = []
  for (let age = 0; age < MOST_FILES && lines.length < count; age++) {
    const text = await readFile(fileOf(folder, age), 'utf8').catch(() => '')
    lines = [...text.split(/\r?\n/).filter((line) => line !== ''), ...lines]
  }
  return count > 0 ? lines.slice(-count) : []
}
