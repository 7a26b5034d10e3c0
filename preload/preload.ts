import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { CallName, CallResult, LatchkeyApi } from '../contract/calls.ts'
import { channelOf, SUBSCRIBE_CHANNEL, VIEW_CHANNEL } from '../contract/channels.ts'
import type { Outcome } from '../contract/failures.ts'
import type { AppView } from '../contract/views.ts'

/** Our own page stays far below these limits. */
const MOST_CALLS = 32
const LONGEST_INPUT = 256 * 1024

let callsUnderWay = 0

// SECURITY: a page that floods the main process would freeze the agent and the tray, too.
const call =
  <N extends CallName>(name: N) =>
  async (input?: unknown): Promise<Outcome<CallResult<N>>> => {
    if (callsUnderWay >= MOST_CALLS) throw new Error('too many calls at a time')
    callsUnderWay += 1
    try {
      return await ipcRenderer.invoke(channelOf(name), bounded(input))
    } finally {
      callsUnderWay -= 1
    }
  }

/** SECURITY: lets only JSON through, because other values, such as a Map, could have any size. */
function bounded(input: unknown): unknown {
  const text = JSON.stringify(input) as string | undefined
  if (text === undefined) return undefined
  if (text.length > LONGEST_INPUT) throw new Error('too long an input')
  return JSON.parse(text)
}

/** All listeners get the requested view, so a listener added before it arrives needn't ask for it. */
let isViewAskedFor = false
ipcRenderer.on(VIEW_CHANNEL, () => {
  isViewAskedFor = false
})

// SECURITY: each call has its own function, so the page can't choose a channel (Electron's security guide, 20).
const api: LatchkeyApi = {
  saveSettings: call('saveSettings'),
  connect: call('connect'),
  checkSettings: call('checkSettings'),
  showConnection: call('showConnection'),
  addConnection: call('addConnection'),
  removeConnection: call('removeConnection'),
  signIn: call('signIn'),
  answerChallenge: call('answerChallenge'),
  showRecoveryCode: call('showRecoveryCode'),
  reopenBrowser: call('reopenBrowser'),
  cancelSignIn: call('cancelSignIn'),
  changePassword: call('changePassword'),
  lookAgain: call('lookAgain'),
  signOut: call('signOut'),
  refreshNow: call('refreshNow'),
  copyToken: call('copyToken'),
  newGatewayPassword: call('newGatewayPassword'),
  setSwitch: call('setSwitch'),
  saveProxyCredentials: call('saveProxyCredentials'),
  checkComputer: call('checkComputer'),
  restartToUpdate: call('restartToUpdate'),
  saveDiagnostics: call('saveDiagnostics'),
  showDiagnostics: call('showDiagnostics'),
  onView(listener) {
    const deliver = (_: IpcRendererEvent, view: AppView) => listener(view)
    ipcRenderer.on(VIEW_CHANNEL, deliver)
    if (!isViewAskedFor) ipcRenderer.send(SUBSCRIBE_CHANNEL)
    isViewAskedFor = true
    return () => {
      ipcRenderer.removeListener(VIEW_CHANNEL, deliver)
    }
  },
}

contextBridge.exposeInMainWorld('latchkey', api)
