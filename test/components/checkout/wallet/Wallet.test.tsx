import { fireEvent, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { UserRejectedRequestError } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import { useConnectors } from 'wagmi'
import { messages } from '../../../../src/locales/en-US.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { createWalletConfig, Wallet } from '../../../../stories/fixtures/wallet.js'
import { type CommonProps, describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { createRefusal } from '../createRefusal.js'

const value = createCheckout(orders.requiresPayer)

function First(props: CommonProps) {
  const [connector] = useConnectors()
  return connector && <Checkout.Wallet connector={connector} {...props} />
}

const part = (props: CommonProps) => (
  <Wallet>
    <First {...props} />
  </Wallet>
)

describeConformance({ name: 'Wallet', part, value, tag: 'button', data: { 'data-name': 'Meadow' } })

test('default', () => {
  mount(value, part({}))
  const button = screen.getByRole('button', { name: 'Connect Meadow' })
  expect(button.getAttribute('type')).toBe('button')
  const icon = button.querySelector('img')
  expect(icon?.src).toMatch(/^data:image/)
  expect(icon?.getAttribute('alt')).toBe('')
  expect(icon?.width).toBe(24)
})

test('behavior: asks once, and stays focusable while it waits', async () => {
  const connect = vi.fn(() => new Promise<never>(() => {}))
  const { connectors } = createWalletConfig()
  const [first] = connectors
  if (!first) throw new Error('no wallet')
  mount(
    value,
    <Wallet>
      <Checkout.Wallet connector={{ ...first, connect }} />
    </Wallet>,
  )
  const button = screen.getByRole('button')
  fireEvent.click(button)
  expect((await screen.findByText('Connecting…')) === button).toBe(true)
  fireEvent.click(button)
  expect(connect).toHaveBeenCalledTimes(1)
  expect(button.dataset.pending).toBe('')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(button.hasAttribute('disabled')).toBe(false)
})

describe('behavior: a wallet that does not connect', () => {
  const press = async (error: unknown) => {
    const [first] = createWalletConfig().connectors
    if (!first) throw new Error('no wallet')
    const refusal = createRefusal(error)
    mount(
      value,
      <Wallet>
        <Checkout.Wallet connector={{ ...first, connect: refusal.connect }} />
      </Wallet>,
    )
    const button = screen.getByRole('button')
    await refusal.press(button)
    return button
  }
  test('says so', async () => {
    const button = await press(new Error('the extension is asleep'))
    expect(button.dataset.failed).toBe('')
    expect(screen.getByRole('alert').textContent).toBe(messages.connectFailed)
  })
  test.each([
    ['a wallet of Ethereum', new UserRejectedRequestError(new Error('no'))],
    ['a wallet of the Wallet Standard', Object.assign(new Error('no'), { code: 4_001_000 })],
  ])('is no failure where the buyer declined: %s', async (_, error) => {
    const button = await press(error)
    expect(screen.queryByRole('alert')).toBe(null)
    expect(button.dataset.failed).toBe(undefined)
  })
})

test('behavior: preventDefault in the caller’s handler stops the connecting', () => {
  mount(value, part({ onClick: (event) => event.preventDefault() }))
  fireEvent.click(screen.getByRole('button'))
  expect(screen.getByRole('button').textContent?.trim()).toBe('Connect Meadow')
})
