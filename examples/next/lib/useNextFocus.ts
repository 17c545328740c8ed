import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Says where the focus goes on when what was pressed is gone with the state it belonged to: to the element that the
 * returned ref is on. A focus that is still somewhere stays there.
 */
export const useNextFocus = <Target extends HTMLElement>(
  state: string | undefined,
): RefObject<Target | null> => {
  const target = useRef<Target>(null)
  const last = useRef(state)
  useLayoutEffect(() => {
    const isChanged = last.current !== undefined && state !== undefined && last.current !== state
    last.current = state
    if (isChanged && document.activeElement === document.body) target.current?.focus()
  }, [state])
  return target
}
