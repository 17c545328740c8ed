import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { BuyForm } from '../components/shop/BuyForm'
import { InEnglish } from './helpers/english'
import { dunes } from './helpers/openCheckout'

afterEach(cleanup)

const openForm = (available?: number) =>
  render(
    <InEnglish>
      <BuyForm edition={{ ...dunes, available }} action={async () => ({})} />
    </InEnglish>,
  )
const field = () => screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Quantity' })
const enter = (value: string) => fireEvent.change(field(), { target: { value } })

test('behavior: no more can be chosen than are left', () => {
  openForm(3)
  expect(field().max).toBe('3')
  enter('99')
  expect(field().value).toBe('3')
  const more = screen.getByRole('button', { name: 'One more' })
  expect(more.getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(more)
  expect(field().value).toBe('3')
  screen.getByRole('button', { name: /^Buy for 0\.036\sETH$/ })
})

test('behavior: one order has at most a hundred, and at least one', () => {
  openForm()
  enter('101')
  expect(field().value).toBe('100')
  enter('0')
  expect(field().value).toBe('1')
  enter('')
  expect(field().value).toBe('1')
})

test('behavior: a sold-out edition shows the way to the others', () => {
  openForm(0)
  screen.getByText('Dunes at Dusk is sold out.')
  expect(screen.getByRole('link', { name: 'See the other editions' }).getAttribute('href')).toBe('/#editions')
  expect(screen.queryByRole('button')).toBeNull()
})
