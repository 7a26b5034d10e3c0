import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { TroubleNotice } from './notice.tsx'

/** A view whose code is loaded when it is first shown. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined
  return (props: P) => {
    const [View, setView] = useState<ComponentType<P> | 'missing' | undefined>(() => loaded)
    useEffect(() => {
      if (loaded !== undefined) return
      load().then(
        (view) => {
          loaded = view
          setView(() => view)
        },
        () => setView('missing'),
      )
    }, [])
    if (View === undefined) return null
    if (View === 'missing')
      return <TroubleNotice trouble="unexpected" during="settings" host={undefined} role="alert" />
    return <View {...props} />
  }
}
