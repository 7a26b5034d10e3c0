import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import path from 'node:path'
import * as v from 'valibot'
import { type AgentProblem, refusedBy } from './location.ts'
import { listen, livenessOf } from './socket-file.ts'

/** Tools send `secret` as `Authorization: Bearer SECRET`. */
const content = v.object({ pipe: v.string(), secret: v.string() })
export type PipeContent = v.InferOutput<typeof content>

/** How many tools can connect at the same moment. Node's default is four (`--node-pending-pipe-instances`). */
const PENDING_INSTANCES = 64

/** A random name, so that no other program can create the pipe first. */
export const newPipeName = (): string => `\\\\.\\pipe\\latchkey-${randomBytes(16).toString('hex')}`

/** Listens at the pipe, and writes the file, which the ACL of the user's profile protects. */
export async function listenAtPipe(
  server: Server,
  file: string,
  { pipe, secret }: PipeContent,
): Promise<AgentProblem | undefined> {
  try {
    const other = await read(file)
    if (other !== undefined && (await livenessOf(other.pipe)) === 'live') return { kind: 'inUse', path: file }
    process.env['NODE_PENDING_PIPE_INSTANCES'] ??= String(PENDING_INSTANCES)
    const error = await listen(server, pipe)
    if (error !== undefined) return refusedBy(file, error)
    await write(file, { pipe, secret })
    return undefined
  } catch (error) {
    server.close()
    return refusedBy(file, error as NodeJS.ErrnoException)
  }
}

export async function isPipeFileIntact(file: string, { pipe, secret }: PipeContent): Promise<boolean> {
  const found = await read(file)
  return found?.pipe === pipe && found.secret === secret
}

/** Writes a deleted or replaced file again, unless the file now names a pipe at which another program listens. */
export async function restorePipeFile(file: string, content: PipeContent): Promise<AgentProblem | undefined> {
  try {
    const other = await read(file)
    if (other !== undefined && other.pipe !== content.pipe && (await livenessOf(other.pipe)) === 'live')
      return { kind: 'inUse', path: file }
    await write(file, content)
    return undefined
  } catch (error) {
    return refusedBy(file, error as NodeJS.ErrnoException)
  }
}

async function write(file: string, content: PipeContent): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const aside = `${file}.${randomBytes(6).toString('hex')}`
  try {
    // SECURITY: the file is renamed to its place when it is complete, so no tool reads half of it.
    await writeFile(aside, JSON.stringify(content), { mode: 0o600, flag: 'wx' })
    await rename(aside, file)
  } catch (error) {
    // Otherwise the agent, which tries again every half minute, would leave a temporary file each time.
    await rm(aside, { force: true }).catch(() => {})
    throw error
  }
}

export async function deletePipeFile(file: string, pipe: string): Promise<void> {
  if ((await read(file))?.pipe === pipe) await rm(file, { force: true })
}

async function read(file: string): Promise<PipeContent | undefined> {
  try {
    return v.parse(content, JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return undefined
  }
}
