import { cleanup, render } from '@testing-library/react'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useMergedRef } from '../../src/internal/useMergedRef.js'

afterEach(cleanup)

const Subject = (props: { refs: Parameters<typeof useMergedRef> }) => <p ref={useMergedRef(...props.refs)} />

test('default', () => {
  const object = createRef<unknown>()
  const callback = vi.fn()
  const cleanUp = vi.fn()
  const { container, unmount } = render(<Subject refs={[object, callback, () => cleanUp]} />)
  expect(object.current).toBe(container.firstChild)
  // StrictMode takes each ref away once and gives it again.
  expect(callback.mock.calls).toEqual([[container.firstChild], [null], [container.firstChild]])
  expect(cleanUp).toHaveBeenCalledTimes(1)
  unmount()
  expect(object.current).toBe(null)
  expect(callback).toHaveBeenLastCalledWith(null)
  expect(cleanUp).toHaveBeenCalledTimes(2)
})
