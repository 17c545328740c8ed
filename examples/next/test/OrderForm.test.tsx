import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { BuyState } from '../app/editions/[id]/buy'
import { OrderForm } from '../components/shop/OrderForm'
import { InEnglish } from './helpers/english'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const openForm = (action: (state: BuyState, form: FormData) => Promise<BuyState>) =>
  render(
    <InEnglish>
      <OrderForm action={action} label="Order">
        <input type="hidden" name="edition" value="dunes" />
        <input type="hidden" name="edition" value="tides" />
      </OrderForm>
    </InEnglish>,
  )

const createAnswer = () => {
  let resolve: (state: BuyState) => void = () => {}
  const promise = new Promise<BuyState>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

test('behavior: a second press during submission does not order twice', async () => {
  const { promise, resolve } = createAnswer()
  const action = vi.fn((_: BuyState, _form: FormData) => promise)
  openForm(action)
  await userEvent.click(screen.getByRole('button', { name: 'Order' }))
  await userEvent.click(screen.getByRole('button', { name: 'Opening checkout…' }))
  resolve({})
  await screen.findByRole('button', { name: 'Order' })
  expect(action).toHaveBeenCalledOnce()
  expect(action.mock.calls[0]?.[1].getAll('edition')).toEqual(['dunes', 'tides'])
})

test('behavior: says why an order was refused, and once the connection is lost, says that', async () => {
  const action = vi.fn(async (): Promise<BuyState> => ({ message: 'Dunes at Dusk is sold out.' }))
  openForm(action)
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Order' }))
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe('Dunes at Dusk is sold out.')
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  fireEvent(window, new Event('offline'))
  await press()
  expect(screen.getByRole('alert').textContent).toMatch(/^You are offline\. Nothing was ordered/)
  expect(action).toHaveBeenCalledOnce()
  onLine.mockRestore()
  fireEvent(window, new Event('online'))
  expect(screen.getByRole('alert').textContent).toBe('Dunes at Dusk is sold out.')
})

test('error: a press that cannot reach the shop keeps the fields, and the next one orders them', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const action = vi.fn(async (_: BuyState, _form: FormData): Promise<BuyState> => ({ message: 'Sold out.' }))
  action.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  action.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  openForm(action)
  for (const _ of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Order' }))
    expect((await screen.findByRole('alert')).textContent).toMatch(/does not answer at the moment/)
  }
  await userEvent.click(screen.getByRole('button', { name: 'Order' }))
  await screen.findByText('Sold out.')
  for (const [, form] of action.mock.calls) expect(form.getAll('edition')).toEqual(['dunes', 'tides'])
})
