/** Fills a root folder of a test with programs. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { requireProgram } from '../integration/cli/programs.ts'

/** Copies programs and their libraries into a root folder, under the same paths as on this system. */
export function provide(root: string, programs: readonly string[]): void {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(path.join(root, 'usr', folder), { recursive: true })
    symlinkSync(`usr/${folder}`, path.join(root, folder))
  }
  mkdirSync(path.join(root, 'dev'))
  const found = programs.map((name) => requireProgram(name))
  for (const file of new Set(found.flatMap((program) => [program, ...librariesOf(program)]))) {
    const copy = path.join(root, file)
    mkdirSync(path.dirname(copy), { recursive: true })
    copyFileSync(realpathSync(file), copy)
  }
}

const librariesOf = (program: string) =>
  [...execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file)
