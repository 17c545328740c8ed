import { CheckoutPanel } from 'kassa/panel'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { buyer } from '../../stories/fixtures/build.js'
import { createCheckout } from '../../stories/fixtures/checkout.js'
import { orders } from '../../stories/fixtures/orders.js'
import { Wallet } from '../../stories/fixtures/wallet.js'

test('default: a server loads every state at once, so that its HTML has the receipt', async () => {
  expect(typeof window).toBe('undefined')
  const panel = createElement(CheckoutPanel, { value: createCheckout(orders.completed) })
  const render = () => renderToString(createElement(Wallet, { account: buyer, children: panel }))
  await vi.waitFor(() => expect(render()).toContain('data-kassa="receipt"'))
})
