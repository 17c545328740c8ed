import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus to the element of the returned ref when the focused element unmounts with its state. A
 * focus elsewhere stays where it is.
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
