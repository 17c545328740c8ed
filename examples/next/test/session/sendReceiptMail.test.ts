import type { Order } from 'kassa'
import { orders } from 'kassa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { listOutbox } from '../../lib/outbox'
import { sendReceiptMail } from '../../lib/session/sendReceiptMail'
import { baseSepolia } from '../helpers/baseSepolia'

// Only a build of Next.js reads sentences that are parsed already.
vi.mock('../../messages', () => ({
  loadMessages: async (language: string) => (await import(`../../messages/${language}.ts`)).messages,
}))

const answer = (result: unknown) =>
  vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, result }))
afterEach(() => vi.unstubAllGlobals())

const mail = async (language: 'en' | 'de', order: Order): Promise<string> => {
  const url = 'https://recto.example/checkout/1#open=token'
  await sendReceiptMail('ada@example.com', order, { url, language, networks: [baseSepolia] })
  return listOutbox()[0]?.text ?? ''
}

const given: Order = {
  ...orders.completed,
  quote: {
    ...orders.completed.quote,
    quotedAt: '2026-03-02T12:25:00.000Z',
    totalPrice: { amount: '0.012', currency: 'eth', fiat: { amount: '36', currency: 'usd' } },
  },
  payment: {
    ...orders.completed.payment,
    received: {
      amount: '0.012',
      currency: 'eth',
      ...orders.completed.payment.received,
      paidAt: '2026-03-02T12:30:00.000Z',
    },
  },
  lineItems: orders.completed.lineItems.map((item) => ({
    ...item,
    delivery: { ...item.delivery, recipient: { email: 'bob@example.com', walletAddress: '0x1' } },
  })),
}

test('default: it has the date, the tokens, the worth, the network fee and the recipient', async () => {
  answer({ gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' })
  const text = await mail('en', given)
  expect(text).toMatch(/^Date: March 2, 2026 at 12:30\sPM UTC$/m)
  expect(text).toMatch(/^Night Bloom, No\. 7: /m)
  expect(text).toMatch(/^Evening Tide × 2, No\. 18, No\. 19: /m)
  expect(text).toMatch(/^Contract: 0x[\da-f]{40}$/im)
  expect(text).toContain('Total: 0.012\u00a0ETH (≈\u00a0$36)')
  expect(text).toContain('Network fee: 0.000021\u00a0ETH, paid to the network')
  expect(text.match(/Delivered to: bob@example\.com/g)).toHaveLength(1)
})

test('behavior: a date that is no timestamp is shown as the service wrote it', async () => {
  const text = await mail('en', { ...given, payment: { ...given.payment, received: undefined } })
  expect(text).toMatch(/^Date: March 2, 2026 at 12:25\sPM UTC$/m)
  const quote = { ...given.quote, quotedAt: 'today' }
  const unread = await mail('en', { ...given, quote, payment: { ...given.payment, received: undefined } })
  expect(unread).toMatch(/^Date: today$/m)
})

test('parameters: pictureUrl, in the HTML alone', async () => {
  const options = { url: 'https://recto.example', language: 'en', networks: [] } as const
  const pictureUrl = 'https://recto.example/ipfs/a?b=1&c="'
  await sendReceiptMail('ada@example.com', given, { ...options, pictureUrl })
  const [{ html, text } = { html: '', text: '' }] = listOutbox()
  expect(html).toContain('<img src="https://recto.example/ipfs/a?b=1&#38;c=&#34;" alt=""')
  expect(text).not.toContain('ipfs')
  await sendReceiptMail('ada@example.com', given, options)
  expect(listOutbox()[0]?.html).not.toContain('<img')
})

test('behavior: it speaks the language of the order', async () => {
  answer({ gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' })
  const text = await mail('de', given)
  expect(text).toContain('Datum: 2. März 2026 um 12:30 UTC')
  expect(text).toContain('Netzwerkgebühr: 0,000021\u00a0ETH')
  expect(text).toContain('Geliefert an: bob@example.com')
})

test('error: a network that does not answer holds up no receipt', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('away')))
  const text = await mail('en', given)
  expect(text).toContain('Total: 0.012')
  expect(text).not.toContain('Network fee')
})
