'use client'

import { type Ref, useCallback } from 'react'

const attach = (ref: Ref<unknown> | undefined, node: unknown): (() => void) => {
  if (typeof ref === 'function') {
    const cleanUp = ref(node)
    return typeof cleanUp === 'function' ? cleanUp : () => ref(null)
  }
  if (!ref) return () => {}
  ref.current = node
  return () => {
    ref.current = null
  }
}

/** Returns one ref that updates three. It stays the same function while they do. */
export const useMergedRef = (
  first: Ref<unknown> | undefined,
  second: Ref<unknown> | undefined,
  third: Ref<unknown> | undefined,
) =>
  useCallback(
    (node: unknown) => {
      const detach = [first, second, third].map((ref) => attach(ref, node))
      return () => {
        for (const undo of detach) undo()
      }
    },
    [first, second, third],
  )
