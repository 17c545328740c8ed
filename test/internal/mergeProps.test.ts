import { expect, test, vi } from 'vitest'
import { mergeProps } from '../../src/internal/mergeProps.js'

const call = (handler: unknown, ...args: unknown[]): unknown =>
  typeof handler === 'function' ? handler(...args) : undefined

test('default', () => {
  expect(mergeProps({ id: 'ours', title: 'ours' }, { id: 'theirs' })).toEqual({ id: 'theirs', title: 'ours' })
})

test('behavior: undefined takes nothing away', () => {
  const onClick = () => {}
  expect(mergeProps({ id: 'ours', onClick }, { id: undefined, onClick: undefined })).toEqual({
    id: 'ours',
    onClick,
  })
})

test('behavior: classes and styles add up', () => {
  expect(
    mergeProps(
      { className: 'a', style: { color: 'red', opacity: 1 } },
      { className: 'b', style: { color: 'blue' } },
    ),
  ).toEqual({ className: 'a b', style: { color: 'blue', opacity: 1 } })
})

test('behavior: their handler runs first and may stop ours', () => {
  const order: string[] = []
  const ours = vi.fn(() => order.push('ours'))
  const { onClick } = mergeProps({ onClick: ours }, { onClick: () => order.push('theirs') })
  call(onClick, { defaultPrevented: false })
  expect(order).toEqual(['theirs', 'ours'])
  call(onClick, { defaultPrevented: true })
  expect(ours).toHaveBeenCalledTimes(1)
})

test('behavior: a handler that is called without an event is merged too', () => {
  const ours = vi.fn()
  const { onValueChange } = mergeProps({ onValueChange: ours }, { onValueChange: () => 'kept' })
  expect(call(onValueChange, 7, 'second')).toBe('kept')
  expect(ours).toHaveBeenCalledWith(7, 'second')
})
