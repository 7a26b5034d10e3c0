/** A fake file manager (org.freedesktop.FileManager1). */
import { Message } from '@jellybrick/dbus-next'
import { onTestFinished } from 'vitest'
import { connect } from '../keyring/bus.ts'

const NAME = 'org.freedesktop.FileManager1'

/** Returns the addresses of the files that the file manager was asked to show. */
export async function startFileManager(busAddress: string): Promise<readonly string[]> {
  const bus = await connect(busAddress)
  onTestFinished(() => bus.disconnect())
  const shown: string[] = []
  bus.addMethodHandler((message: Message) => {
    if (message.interface !== NAME || message.member !== 'ShowItems') return false
    shown.push(...(message.body[0] as string[]))
    bus.send(Message.newMethodReturn(message, '', []))
    return true
  })
  await bus.requestName(NAME)
  return shown
}
