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

/** One ref that keeps three up to date, and is the same function for as long as they are. */
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
