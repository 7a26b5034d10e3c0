import type { ServerRole, SignInProblems } from '../sentence.ts'

const who = ({ host }: ServerRole): string => host ?? 'your identity provider'

export const enSignInProblems: SignInProblems = {
  stepExpired: () => ({ title: 'That took too long.', body: 'Sign in again. You have ten minutes for this step.' }),
  stepRefused: (asked) => ({
    title: `${asked.host ?? 'Your identity provider'} has ended this sign-in.`,
    body: 'Sign in again. If it happens again, show the details to your administrator.',
  }),
  accountBlocked: (asked) => ({
    title: `Your account at ${who(asked)} is blocked.`,
    body: 'Follow the message that you may have got from there. Otherwise ask your administrator to unblock it.',
  }),
  singleSignOnOnly: () => ({
    title: 'Your account uses single sign-on.',
    body: 'Choose single sign-on below, and use your company account. If it isn’t offered, ask your administrator.',
  }),
  notEnrolled: (asked) => ({
    title: 'You haven’t set up a second factor that Latchkey can use.',
    body: `Set up an authenticator app in your account at ${who(asked)}, then sign in again.`,
  }),
  noSecondFactor: (asked) => ({
    title: `${asked.host ?? 'Your identity provider'} doesn’t let Latchkey ask for your second factor.`,
    body: 'Ask your administrator to allow it, or to set up browser sign-in.',
  }),
  approvalRefused: () => ({
    title: 'The sign-in was refused on your phone.',
    body: 'If that was you, sign in again. If it wasn’t, tell your administrator.',
  }),
  codeLength: () => ({
    title: 'That code has the wrong length.',
    body: 'Enter the six or eight digits that your app shows.',
  }),
  browserUnavailable: () => ({
    title: 'Your browser didn’t open.',
    body: 'Check that this computer has a default browser, then try again.',
  }),
  openedLately: (_, wait) => ({ title: 'Latchkey has just opened your browser.', body: wait }),
  browserTimeout: () => ({
    title: 'The sign-in in your browser took too long.',
    body: 'Try again. You have five minutes. If your browser shows an error, show it to your administrator.',
  }),
  consentDenied: ({ host }) => ({
    title: `${host ?? 'Your identity provider'} didn’t allow the sign-in.`,
    body: 'If you declined by mistake, try again. Otherwise ask your administrator.',
  }),
  browserRefused: () => ({
    title: 'Your identity provider didn’t accept the sign-in from your browser.',
    body: 'Try again. If it happens again, show the details to your administrator.',
  }),
  answerRefused: () => ({
    title: 'Latchkey couldn’t verify your identity provider’s response.',
    body: 'You weren’t signed in. Try again. If it happens again, show the details to your administrator.',
  }),
  portTaken: () => ({
    title: 'Another program is using the port for browser sign-in.',
    body: 'Close that program, or ask your administrator for another port.',
  }),
  otherSignIn: () => ({
    title: 'Another sign-in is open in your browser.',
    body: 'Finish it in the browser. Or choose its connection in Latchkey, and cancel the sign-in there. Then try again.',
  }),
  recoveryCodeUnderWay: () => ({
    title: 'First finish the sign-in with your recovery code.',
    body: 'If you get a new recovery code, save it. Then try again.',
  }),
}
