import { accessSync, constants, existsSync, renameSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCode } from './log.ts'

/** How many files the log has at most, including the current one. */
const MOST_FILES = 5
/** The file is rotated once it has this size, so at most one line goes beyond it. */
export const LARGEST_FILE = 1024 * 1024

/** The file of this age: 0 is the current file, and 4 is the oldest. */
export const logFile = (folder: string, age: number): string =>
  path.join(folder, age === 0 ? 'latchkey.log' : `latchkey.${age}.log`)

/** Throws if the system refuses. */
export function rotateFiles(folder: string): void {
  for (let age = MOST_FILES - 2; age >= 0; age--) {
    const file = logFile(folder, age)
    if (existsSync(file)) renameSync(file, logFile(folder, age + 1))
  }
}

/** Returns the system's error code. Creates nothing. */
export function whyUnwritable(folder: string): string | undefined {
  const file = logFile(folder, 0)
  for (let each = file; ; each = path.dirname(each)) {
    try {
      accessSync(each, constants.W_OK)
      // If a part of the path is a file, Windows says ENOENT instead of ENOTDIR.
      return each === file || statSync(each).isDirectory() ? undefined : 'ENOTDIR'
    } catch (error) {
      const code = errorCode(error)
      // A missing file or folder can still be created in the folder above it.
      if (code !== 'ENOENT' || each === path.dirname(each)) return code
    }
  }
}

/** The last lines of the log, the oldest first. Unreadable files are left out. */
export async function lastLines(folder: string, count: number): Promise<readonly string[]> {
  let lines: readonly string[] = []
  for (let age = 0; age < MOST_FILES && lines.length < count; age++) {
    const text = await readFile(logFile(folder, age), 'utf8').catch(() => '')
    lines = [...text.split(/\r?\n/).filter((line) => line !== ''), ...lines]
  }
  return count > 0 ? lines.slice(-count) : []
}
