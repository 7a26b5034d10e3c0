import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** @param {string[]} parts */
export const inProject = (...parts) => path.join(root, ...parts)
