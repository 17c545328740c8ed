import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createTestService } from 'kassa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import type { BuyState } from '../app/editions/[id]/buy'
import { BuyForm } from '../components/shop/BuyForm'
import { InEnglish } from './helpers/english'
import { dunes, openCheckout } from './helpers/openCheckout'

vi.mock('next/navigation', () => ({ useRouter: () => ({}) }))

const setOnline = (isOnline: boolean): void => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline)
  fireEvent(window, new Event(isOnline ? 'online' : 'offline'))
}
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const openForm = (action: (state: BuyState, form: FormData) => Promise<BuyState>) =>
  render(
    <InEnglish>
      <BuyForm edition={dunes} action={action} />
    </InEnglish>,
  )
const press = async () => userEvent.click(screen.getByRole('button', { name: /^Buy for/ }))
const more = async () => userEvent.click(screen.getByRole('button', { name: 'One more' }))

test('behavior: buying without a connection keeps the page, says so, and sends nothing', async () => {
  const action = vi.fn<() => Promise<BuyState>>(async () => ({}))
  openForm(action)
  await more()
  setOnline(false)
  await press()
  expect(screen.getByRole('alert').textContent).toMatch(/^You are offline\. Nothing was ordered/)
  expect(action).not.toHaveBeenCalled()
  setOnline(true)
  expect(screen.queryByRole('alert')).toBeNull()
  await press()
  expect(action).toHaveBeenCalledOnce()
  screen.getByRole('button', { name: /^Buy for 0\.024/ })
})

test('error: an answer that is lost on the way keeps the page and the quantity, as often as it happens', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const action = vi.fn<() => Promise<BuyState>>(async () => {
    throw new TypeError('Failed to fetch')
  })
  openForm(action)
  await more()
  for (const count of [1, 2, 3]) {
    await press()
    expect((await screen.findByRole('alert')).textContent).toMatch(/does not answer at the moment/)
    expect(action).toHaveBeenCalledTimes(count)
    screen.getByRole('button', { name: /^Buy for 0\.024/ })
  }
})

test('behavior: a payment that failed without a connection can be pressed again once it is back', async () => {
  const service = createTestService()
  let isReachable = true
  const { wallet } = await openCheckout(service, 1, { isReachable: () => isReachable })
  const pay = await screen.findByRole('button', { name: /^Pay 0\.012/ })
  isReachable = false
  setOnline(false)
  await userEvent.click(pay)
  expect((await screen.findByRole('alert')).textContent).toMatch(/You are offline\. Your order is safe/)
  isReachable = true
  setOnline(true)
  await expect.poll(() => screen.queryByRole('alert')).toBeNull()
  await userEvent.click(await screen.findByRole('button', { name: /^Pay 0\.012/ }))
  await screen.findByRole('heading', { name: 'Your payment is sent' })
  expect(wallet.requests.filter(({ method }) => method === 'eth_sendTransaction')).toHaveLength(1)
})

test('error: a service that does not answer is the shop’s, and says to try again', async () => {
  let isReachable = true
  await openCheckout(createTestService(), 1, { isReachable: () => isReachable })
  const pay = await screen.findByRole('button', { name: /^Pay 0\.012/ })
  isReachable = false
  await userEvent.click(pay)
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /The shop’s service .* try again in a moment/,
  )
})
