import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { CallName, LatchkeyApi } from '../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../contract/channels.ts'
import type { Outcome } from '../contract/failures.ts'
import type { AppView } from '../contract/views.ts'

const call =
  (name: CallName) =>
  (input?: unknown): Promise<Outcome> =>
    ipcRenderer.invoke(channelOf(name), input)

// SECURITY: one function per call and one subscription; the page can name no channel (Electron's security guide, 20).
const api: LatchkeyApi = {
  saveSettings: call('saveSettings'),
  checkSettings: call('checkSettings'),
  showConnection: call('showConnection'),
  addConnection: call('addConnection'),
  removeConnection: call('removeConnection'),
  signIn: call('signIn'),
  changePassword: call('changePassword'),
  signOut: call('signOut'),
  renewNow: call('renewNow'),
  copyToken: call('copyToken'),
  setStartAtLogin: call('setStartAtLogin'),
  setAgent: call('setAgent'),
  saveProxyCredentials: call('saveProxyCredentials'),
  checkComputer: call('checkComputer'),
  restartToUpdate: call('restartToUpdate'),
  saveDiagnostics: call('saveDiagnostics'),
  onView(listener) {
    const deliver = (_: IpcRendererEvent, view: AppView) => listener(view)
    ipcRenderer.on(VIEW_CHANNEL, deliver)
    ipcRenderer.send(SUBSCRIBE_CHANNEL)
    return () => {
      ipcRenderer.removeListener(VIEW_CHANNEL, deliver)
    }
  },
}

contextBridge.exposeInMainWorld('latchkey', api)
