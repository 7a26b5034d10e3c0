import { useSurroundings } from '../parts/context.ts'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { isRefreshable, type SignedIn } from './session.tsx'
import type { SessionActions } from './use-session-actions.ts'

interface PersonMenuProps {
  readonly session: SignedIn
  readonly where: string | undefined
  readonly host: string | undefined
  readonly actions: SessionActions
  readonly mayCopy: boolean
  readonly onSignOut: () => void
}

export const PersonMenu = ({ session, where, host, actions, mayCopy, onSignOut }: PersonMenuProps) => {
  const { texts, open } = useSurroundings()
  const { buttons } = texts
  const { account, kind, token } = session
  const { username, displayName } = account
  const item = (label: string, act: () => void, isPossible = true): readonly MenuItem[] =>
    isPossible ? [{ label, act }] : []
  const groups = [
    [
      ...item(buttons.signIn, () => open({ screen: 'signIn' }), kind === 'ending' || token === undefined),
      ...item(
        buttons.changePassword,
        () => open({ screen: 'changePassword' }),
        kind !== 'ending' && token !== undefined && account.grant.capabilities.changePassword,
      ),
      ...item(buttons.refreshNow, actions.refresh, isRefreshable(session)),
      ...item(buttons.copyToken, actions.copyToken, mayCopy && token !== undefined),
    ],
    [
      ...item(buttons.settings, () => open({ screen: 'settings' })),
      ...item(texts.check.run, () => open({ screen: 'check' })),
      ...item(texts.tray.help, () => open({ screen: 'about' })),
    ],
    item(buttons.signOut, onSignOut),
  ]
  const head = (
    <p class="menu-head">
      {/* Some providers don't name the user. */}
      <b>{displayName === '' ? texts.state.signedIn('', host) : displayName}</b>
      {displayName !== '' && <small>{texts.desktop.account(username === displayName ? '' : username, where)}</small>}
    </p>
  )
  return (
    <Menu place="person" label={texts.session.menu(displayName)} head={head} groups={groups}>
      <span aria-hidden="true">{[...(displayName || (host ?? ''))][0]?.toUpperCase()}</span>
    </Menu>
  )
}
