import type { AuthenticatorKind } from '../../contract/challenges.ts'

export const enChallenge = {
  heading: 'One more step',
  choose: 'Choose how to confirm it’s you.',
  lead: {
    app: 'Enter the code that your authenticator app shows.',
    textMessage: 'Enter the code from the text message.',
    phoneCall: 'Enter the code from the phone call.',
    email: 'Enter the code from the email.',
    push: 'Approve the sign-in on your phone.',
    recoveryCode: 'Enter one of your recovery codes. Each works once.',
  } satisfies Record<AuthenticatorKind, string> as Record<AuthenticatorKind, string>,
  authenticators: {
    app: 'Authenticator app',
    textMessage: 'Text message',
    phoneCall: 'Phone call',
    email: 'Email',
    push: 'Approval on your phone',
    recoveryCode: 'Recovery code',
  } satisfies Record<AuthenticatorKind, string> as Record<AuthenticatorKind, string>,
  usual: 'last used',
  waiting: 'Waiting for your approval…',
  endingIn: (end: string): string => `ending in ${end}`,
  newRecoveryCode: {
    heading: 'Your new recovery code',
    lead: 'It replaces the one you just used. Keep it somewhere safe: Latchkey shows it only once.',
    label: 'New recovery code',
    copy: 'Copy',
    keep: 'I’ve saved it',
  },
  browser: {
    heading: 'Continue in your browser',
    lead: 'Your browser shows your identity provider’s page. Latchkey continues automatically when you’re done there.',
    again: 'Open the browser again',
    waiting: 'Waiting for your browser…',
    errorPage: 'If your browser shows an error, show it to your administrator.',
    consent: {
      heading: 'One more question in your browser',
      lead: 'Your identity provider asks whether Latchkey may keep you signed in. If you decline, you’re signed in until your access token expires.',
    },
  },
}
