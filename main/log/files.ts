/** The log's files: the one that is written, and those before it. */
import { accessSync, constants, existsSync, renameSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { codeOf } from './report.ts'

/** With the one that is written. */
export const MOST_FILES = 5
/** Bytes. A file is left when it has reached this, so it is longer by at most one line. */
export const LARGEST_FILE = 1024 * 1024

/** 0 is the one that is written, 4 the oldest. */
export const fileOf = (folder: string, age: number): string =>
  path.join(folder, age === 0 ? 'latchkey.log' : `latchkey.${age}.log`)

/** Makes every file one older; the oldest is overwritten. Throws where the system refuses. */
export function growOlder(folder: string): void {
  for (let age = MOST_FILES - 2; age >= 0; age--) {
    const file = fileOf(folder, age)
    if (existsSync(file)) renameSync(file, fileOf(folder, age + 1))
  }
}

/** Why the log can't be written there, as the system's error code. Looks, and makes nothing. */
export function whyUnwritable(folder: string): string | undefined {
  for (let each = fileOf(folder, 0); ; each = path.dirname(each)) {
    try {
      accessSync(each, constants.W_OK)
      return undefined
    } catch (error) {
      const code = codeOf(error)
      // What isn't there can be made in what is.
      if (code !== 'ENOENT' || each === path.dirname(each)) return code
    }
  }
}

/** The last lines, the oldest of them first. What can't be read is as if it weren't there. */
export async function tailOf(folder: string, count: number): Promise<readonly string[]> {
  let lines: readonly string[] = []
  for (let age = 0; age < MOST_FILES && lines.length < count; age++) {
    const text = await readFile(fileOf(folder, age), 'utf8').catch(() => '')
    lines = [...text.split(/\r?\n/).filter((line) => line !== ''), ...lines]
  }
  return count > 0 ? lines.slice(-count) : []
}
