import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import OrdersPage from '../../app/orders/page'
import { getShop } from '../../lib/shop'
import { InEnglish } from '../helpers/english'
import { temporaryFile } from '../helpers/temporaryFile'

const request = vi.hoisted(() => ({ headers: new Headers() }))
vi.mock('next/headers', () => ({ headers: async () => request.headers }))
vi.mock('next/navigation', () => ({
  useRouter: () => ({ refresh: () => undefined }),
  notFound: () => {
    throw new Error('not found')
  },
}))
vi.mock('../../lib/shop', () => ({ getShop: vi.fn() }))

beforeEach(() => {
  vi.stubEnv('KASSA_STORE', temporaryFile('orders.json'))
  vi.stubEnv('KASSA_SHOP_PASSWORD', '')
  request.headers = new Headers()
})
afterEach(() => {
  cleanup()
  vi.unstubAllEnvs()
})

const serve = (shop: { isSandbox: boolean } | undefined) =>
  vi.mocked(getShop).mockResolvedValue(shop && { ...shop, editions: [], networks: [], paymentRules: {} })
const open = async () => {
  render(await OrdersPage(), { wrapper: InEnglish })
  return screen.getByRole('heading').textContent
}

test('default: without a password the page is open in a sandbox', async () => {
  serve({ isSandbox: true })
  expect(await open()).toBe('Orders')
})

test('behavior: with a password the page is open to those who know it', async () => {
  serve({ isSandbox: false })
  vi.stubEnv('KASSA_SHOP_PASSWORD', 'open sesame')
  request.headers.set('authorization', `Basic ${btoa('ali:open sesame')}`)
  expect(await open()).toBe('Orders')
})

test('error: without a password the page does not exist in production', async () => {
  serve({ isSandbox: false })
  await expect(open()).rejects.toThrow('not found')
})

test('error: with a password, even a sandbox hides the page from strangers', async () => {
  serve({ isSandbox: true })
  vi.stubEnv('KASSA_SHOP_PASSWORD', 'open sesame')
  await expect(open()).rejects.toThrow('not found')
})

test('error: the page shows nothing until the service says whether it is a sandbox', async () => {
  serve(undefined)
  expect(await open()).toBe('The shop cannot be reached')
})
