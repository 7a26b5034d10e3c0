/** Resolves every name to 127.0.0.1 (IPv4 only), and records the names. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { Installation } from './app.ts'
import { withOwnMounts } from './own-mounts.ts'

/** Parts of DNS messages (RFC 1035, 4.1): the offset of the question, two headers without their ID, and an answer. */
const QUESTION = 12
const ONE_ANSWER = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
const NO_ANSWER = Buffer.from([0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0])
const LOOPBACK = Buffer.from([0xc0, QUESTION, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1])
const TYPE_A = 1

function read(message: Buffer) {
  const labels: string[] = []
  let at = QUESTION
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), question: message.subarray(QUESTION, at + 5) }
}

/** Makes this installation use the name server, through a resolv.conf of its own, which only root can mount. */
export async function startNameServer({ executable }: Installation): Promise<{ readonly names: ReadonlySet<string> }> {
  const names = new Set<string>()
  const server = createSocket('udp4', (message, { address, port }) => {
    const { name, type, question } = read(message)
    names.add(name)
    const id = message.subarray(0, 2)
    const isAnswered = type === TYPE_A
    const answer = [id, isAnswered ? ONE_ANSWER : NO_ANSWER, question, ...(isAnswered ? [LOOPBACK] : [])]
    server.send(Buffer.concat(answer), port, address)
  })
  // The process id makes this address unique, because tests run in parallel.
  const address = `127.53.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}`
  server.bind(53, address)
  await once(server, 'listening')
  onTestFinished(() => void server.close())

  const folder = mkdtempSync(path.join(tmpdir(), 'latchkey-resolv-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const file = path.join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${address}\n`)
  const plain = readFileSync(executable, 'utf8')
  const inside = withOwnMounts([`mount --bind ${file} /etc/resolv.conf`])
  const changed = plain.replace('\nexec setpriv', `\nexec ${inside}setpriv`)
  if (changed === plain) throw new Error('the executable is not started through setpriv')
  writeFileSync(executable, changed)
  return { names }
}
