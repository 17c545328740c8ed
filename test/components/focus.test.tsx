import { act, fireEvent, render, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { type ReactNode, StrictMode, useState } from 'react'
import { expect, test, vi } from 'vitest'
import { createCheckout } from '../../stories/fixtures/checkout.js'
import { orders } from '../../stories/fixtures/orders.js'
import { listPartNames } from '../helpers/partNames.js'
import { readSource } from '../helpers/sources.js'
import { mount } from './mount.js'

/** A checkout of which a press exchanges the button that was pressed for something else. */
const mountExchange = (next: ReactNode) => {
  function Exchange() {
    const [isDone, setDone] = useState(false)
    return (
      <>
        <Checkout.Status />
        {isDone ? (
          next
        ) : (
          <button type="button" onClick={() => setDone(true)}>
            leave
          </button>
        )}
      </>
    )
  }
  const { container, unmount } = mount(createCheckout(orders.awaitingPaymentNative), <Exchange />)
  const root = container.querySelector<HTMLElement>('[data-kassa=root]')
  if (!root) throw new Error('There is no checkout')
  const button = screen.getByRole('button', { name: 'leave' })
  return {
    root,
    button,
    unmount,
    /** Takes away the button, and lets those who watch hear of it. */
    leave: () => act(async () => void fireEvent.click(button)),
  }
}

test('default', async () => {
  const { button, leave } = mountExchange(<Checkout.Pay />)
  button.focus()
  await leave()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Pay/ }))
})

test.each<[string, ReactNode, string]>([
  [
    'the first field of a form',
    <form key="form" data-kassa="address-form">
      <button type="button">before</button>
      <select aria-label="field" />
      <input />
    </form>,
    '[aria-label=field]',
  ],
  ['the receipt', <section key="receipt" data-kassa="receipt" />, '[data-kassa=receipt]'],
  [
    'a wallet before a pay button that can do nothing',
    <div key="wallets">
      <button type="button" data-kassa="pay" aria-disabled />
      <button type="button" data-kassa="wallet" />
    </div>,
    '[data-kassa=wallet]',
  ],
])('behavior: goes to %s', async (_, next, selector) => {
  const { root, button, leave } = mountExchange(next)
  button.focus()
  await leave()
  const target = root.querySelector(selector)
  expect(target).not.toBe(null)
  expect(document.activeElement).toBe(target)
})

test('behavior: what no key reaches can hold it, and is still reached by none', async () => {
  const { root, button, leave } = mountExchange(null)
  expect(root.getAttribute('tabindex')).toBe(null)
  button.focus()
  await leave()
  expect(root.getAttribute('tabindex')).toBe('-1')
})

test('behavior: where there is nothing to do the checkout holds it, and not the status, which is read anyway', async () => {
  const { root, button, leave } = mountExchange(<p />)
  button.focus()
  await leave()
  expect(document.activeElement).toBe(root)
})

test('behavior: a `ref` of the caller that is new at each render takes nothing from it', async () => {
  const tree = (isDone: boolean) => (
    <StrictMode>
      <Checkout.Root value={createCheckout(orders.delivering)} ref={() => {}} data-testid="root">
        {isDone ? null : <button type="button">leave</button>}
      </Checkout.Root>
    </StrictMode>
  )
  const { rerender } = render(tree(false))
  screen.getByRole('button').focus()
  await act(async () => rerender(tree(false)))
  await act(async () => rerender(tree(true)))
  expect(document.activeElement).toBe(screen.getByTestId('root'))
})

test('behavior: listens once, and no longer than it is there', async () => {
  const add = vi.spyOn(HTMLElement.prototype, 'addEventListener')
  const { unmount } = mountExchange(null)
  const open = () =>
    add.mock.calls.flatMap(([type, , options]) =>
      typeof options === 'object' && options.signal?.aborted === false ? [type] : [],
    )
  expect(open()).toEqual(['focusin', 'focusout'])
  unmount()
  expect(open()).toEqual([])
  add.mockRestore()
})

test('behavior: a checkout of nothing but what goes holds it itself', async () => {
  const { container, show } = mount(createCheckout(orders.expired), <Checkout.Expiry tabIndex={0} />)
  screen.getByRole('timer').focus()
  await act(async () => show(createCheckout(orders.delivering)))
  expect(document.activeElement).toBe(container.querySelector('[data-kassa=root]'))
})

test('behavior: goes on from where it went', async () => {
  const receipt = <Checkout.Receipt tabIndex={-1} />
  const { container, show } = mount(
    createCheckout(orders.completed),
    <>
      <Checkout.Status />
      {receipt}
    </>,
  )
  screen.getByRole('region', { name: 'Receipt' }).focus()
  await act(async () => show(createCheckout(orders.delivering)))
  expect(document.activeElement).toBe(container.querySelector('[data-kassa=root]'))
})

test('behavior: knows an element that goes from one that is left, in browsers that say the same of both', async () => {
  const { root, button } = mountExchange(null)
  button.focus()
  await act(async () => {
    fireEvent.focusOut(button)
    button.remove()
  })
  expect(document.activeElement).toBe(root)
})

test('behavior: leaves a focus elsewhere in the page alone', async () => {
  const { button, leave } = mountExchange(<Checkout.Pay />)
  const outside = document.createElement('input')
  document.body.append(outside)
  button.focus()
  outside.focus()
  await leave()
  expect(document.activeElement).toBe(outside)
  outside.remove()
})

test('behavior: does not come back to whom the buyer took it from', async () => {
  const { button, leave } = mountExchange(<Checkout.Pay />)
  button.focus()
  await act(async () => button.blur())
  await leave()
  expect(document.activeElement).toBe(document.body)
})

test('behavior: takes none that was never here', async () => {
  const { leave } = mountExchange(<Checkout.Pay />)
  await leave()
  expect(document.activeElement).toBe(document.body)
})

test('behavior: stays where it is while what holds it stays', async () => {
  const { container, show } = mount(createCheckout(orders.awaitingPaymentNative), <Checkout.Pay />)
  const pay = screen.getByRole('button')
  pay.focus()
  // As a browser does when another window, such as a wallet's, comes to the front.
  await act(async () => void fireEvent.focusOut(pay))
  await act(async () => show(createCheckout(orders.delivering)))
  expect(document.activeElement).toBe(pay)
  await act(async () => pay.remove())
  expect(document.activeElement).toBe(container.querySelector('[data-kassa=root]'))
})

test('behavior: a checkout that is gone holds nothing', async () => {
  const { button, unmount } = mountExchange(null)
  button.focus()
  await act(async () => unmount())
  expect(document.activeElement).toBe(document.body)
})

test('behavior: every part it looks for is one', () => {
  const source = readSource('src/components/checkout/keepFocus.ts')
  const names = [...source.matchAll(/\[data-kassa=([a-z-]+)\]/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !listPartNames().includes(name ?? ''))).toEqual([])
})
