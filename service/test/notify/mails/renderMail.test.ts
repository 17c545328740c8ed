import { members } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import type { StoredMail } from '#notify/mails/renderMail.js'
import { renderMail } from '#notify/mails/renderMail.js'
import { mailTexts } from '#notify/mails/texts/index.js'
import { mintedToken } from '../../helpers/mintedToken.js'

const stored = (changes: Partial<StoredMail> = {}): StoredMail => ({
  id: '4d9c4f0e-6f3a-4b0b-9d2c-0a1b2c3d4e5f',
  projectId: '00000000-0000-4000-8000-000000000000',
  recipient: 'ada@example.com',
  locale: 'en-US',
  kind: 'nft-minted',
  data: mintedToken,
  createdAt: new Date(0),
  orderId: null,
  sentAt: null,
  project: 'the project',
  ...changes,
})
const render = (data: Record<string, string> = {}, changes: Partial<StoredMail> = {}) =>
  renderMail(stored({ data: { ...mintedToken, ...data }, ...changes }))

const confirmed = {
  lines: [
    { name: 'Print × 2', amount: '0.02 ETH' },
    { name: 'Poster', amount: '0.01 ETH' },
  ],
  tax: '0.003 ETH',
  shipping: '0.002 ETH',
  total: '0.035 ETH',
  chain: 'base-sepolia',
  txId: `0x${'ab'.repeat(32)}`,
  explorerUrl: 'https://explorer.example/tx/1',
  orderId: 'b4d1f0f2-6f0f-4a53-9f57-3a1f2c0f7c11',
}
const refunded = {
  refunded: '0.02 ETH',
  reason: 'The print was damaged',
  chain: 'base-sepolia',
  txId: `0x${'cd'.repeat(32)}`,
  explorerUrl: 'https://explorer.example/tx/2',
  orderId: confirmed.orderId,
}
const shipped = {
  shipped: ['Print × 2', 'Poster'],
  carrier: 'DHL',
  trackingNumber: '00340434161094042557',
  trackingUrl: 'https://carrier.example/42',
  orderId: confirmed.orderId,
}
const { projectName: _projectName, ...item } = mintedToken
const delivered = {
  items: [item, { ...item, tokenName: 'Noon #8', collectionName: 'Noons', tokenId: '8' }],
  gift: { giverName: 'Grace', note: 'Happy birthday' },
}
const renderOrder = (
  kind: 'order-confirmed' | 'order-delivered' | 'order-refunded' | 'order-shipped' | 'shipment-cancelled',
  data: StoredMail['data'],
  locale: string,
) => renderMail(stored({ kind, data, locale }))

/** Words that no two of the languages share; a word such as "Total" they may. */
const sentenceNames = [
  'subject',
  'kept',
  'nothingToDo',
  'view',
  'orderSubject',
  'paid',
  'orderArrived',
  'giftFrom',
  'shipping',
  'viewTransaction',
  'refundSubject',
  'refundSent',
  'tokensStay',
  'shippedSubject',
  'shippedWith',
  'notShippedSubject',
  'notShipped',
  'trackingNumber',
  'track',
] as const

const visible = (html: string): string =>
  html.replace(/<(style|title)>[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ')

test('default', () => {
  const { html, ...mail } = render()
  expect(mail).toEqual({
    id: '4d9c4f0e-6f3a-4b0b-9d2c-0a1b2c3d4e5f',
    to: 'ada@example.com',
    sender: 'Recto',
    locale: 'en-US',
    subject: 'Dunes at Dusk #7 has arrived',
    text: [
      'Dunes at Dusk #7 has arrived',
      '',
      'It is kept in your wallet with Recto.',
      'You don’t have to do anything.',
      '',
      'Collection: Dunes',
      'Token number: 7',
      'Network: Base Sepolia',
      'Contract: 0x5FbDB2315678afecb367f032d93F642f64180aa3',
      '',
      'View token: https://explorer.example/token/7',
      '',
      'Recto',
      '',
    ].join('\n'),
  })
  expect(html).toContain('<img src="https://pictures.example/7.png" alt="Dunes at Dusk #7"')
  expect(html).toContain('href="https://explorer.example/token/7"')
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).not.toMatch(/<script|<link|@import|url\(/)
})

test('parameters: projectName left out', () => {
  const { projectName: _, ...data } = mintedToken
  const { sender, text } = renderMail(stored({ data }))
  expect(sender).toBe('the project')
  expect(text).toContain('your wallet with the project.')
})

test.each(['', 'ipfs://bafy', 'javascript:alert(1)', 'data:image/png;base64,AA', 'x'])(
  'parameters: no picture and no link at %j',
  (url) => {
    const { html, text } = render({ imageUrl: url, explorerUrl: url })
    expect(html).not.toMatch(/<img|<a /)
    expect(text).not.toContain('View token')
  },
)

test('parameters: a picture of the sandbox', () => {
  const imageUrl = 'http://localhost:4000/ipfs/bafy'
  expect(render({ imageUrl }).html).toContain(`<img src="${imageUrl}"`)
})

test('behavior: line breaks and control characters become spaces, and what turns a line round is left out', () => {
  const { subject, text } = render({ tokenName: ' A\r\nBcc: eve@example.com\u0000\tB\u202E\u200B ' })
  expect(subject).toBe('A Bcc: eve@example.com B has arrived')
  expect(text.split('\n')[0]).toBe(subject)
})

test('behavior: a name that looks like a place is left as it is', () => {
  expect(render({ tokenName: '{tokenName} $& {projectName}' }).subject).toBe(
    '{tokenName} $& {projectName} has arrived',
  )
})

test('default: the receipt', () => {
  const { subject, text } = renderOrder('order-confirmed', confirmed, 'en-US')
  expect(subject).toBe('Your order with the project')
  expect(text).toBe(
    [
      'Your order with the project',
      '',
      'We received your payment. This is your receipt.',
      '',
      'Print × 2: 0.02 ETH',
      'Poster: 0.01 ETH',
      'Tax: 0.003 ETH',
      'Shipping: 0.002 ETH',
      'Total: 0.035 ETH',
      'Network: Base Sepolia',
      `Transaction: ${confirmed.txId}`,
      `Order: ${confirmed.orderId}`,
      '',
      'View transaction: https://explorer.example/tx/1',
      '',
      'the project',
      '',
    ].join('\n'),
  )
})

test('parameters: a receipt without tax and shipping has no lines for them', () => {
  const { text } = renderOrder('order-confirmed', { ...confirmed, tax: '', shipping: '' }, 'en-US')
  expect(text).not.toMatch(/Tax|Shipping/)
})

test('default: a refund by the merchant', () => {
  const { subject, text } = renderOrder('order-refunded', refunded, 'en-US')
  expect(subject).toBe('Your refund from the project')
  expect(text).toBe(
    [
      'Your refund from the project',
      '',
      '0.02 ETH was sent back to the account that paid for your order.',
      '“The print was damaged”',
      'Delivered tokens stay in their wallet.',
      '',
      'Network: Base Sepolia',
      `Transaction: ${refunded.txId}`,
      `Order: ${refunded.orderId}`,
      '',
      'View transaction: https://explorer.example/tx/2',
      '',
      'the project',
      '',
    ].join('\n'),
  )
})

test('parameters: a refund without a reason quotes none', () => {
  const { reason: _, ...data } = refunded
  expect(renderOrder('order-refunded', data, 'en-US').text).not.toMatch(/“/)
})

test('default: a shipment', () => {
  const { subject, text } = renderOrder('order-shipped', shipped, 'en-US')
  expect(subject).toBe('Your order with the project has shipped')
  expect(text).toBe(
    [
      'Your order with the project has shipped',
      '',
      'It is on its way to you with DHL.',
      '',
      'Contents: Print × 2, Poster',
      'Tracking number: 00340434161094042557',
      `Order: ${confirmed.orderId}`,
      '',
      'Track parcel: https://carrier.example/42',
      '',
      'the project',
      '',
    ].join('\n'),
  )
})

test('default: a shipment that was reported by mistake, without a link', () => {
  const { subject, text } = renderOrder('shipment-cancelled', { ...shipped, isCancelled: true }, 'en-US')
  expect(subject).toBe('Correction: your order with the project has not shipped yet')
  expect(text).toContain('by mistake')
  expect(text).not.toMatch(/https|with DHL/)
})

test('parameters: a shipment without a tracking number and a page', () => {
  const { trackingUrl: _, ...data } = shipped
  expect(renderOrder('order-shipped', { ...data, trackingNumber: '' }, 'en-US').text).not.toMatch(/Track/)
})

test('default: the delivery of a gift', () => {
  const { subject, text } = renderOrder('order-delivered', delivered, 'en-US')
  expect(subject).toBe('Your order has arrived')
  expect(text.split('\n').slice(2, 5)).toEqual([
    'A gift from Grace.',
    '“Happy birthday”',
    'It is kept in your wallet with the project.',
  ])
})

test('parameters: the delivery of one item is named after it, and only a gift names a giver', () => {
  const { subject, text } = renderOrder('order-delivered', { items: [item] }, 'en-US')
  expect(subject).toBe('Dunes at Dusk #7 has arrived')
  expect(text).not.toMatch(/gift|“/)
})

const hostile = `<b>"it's" & </table><script>alert(1)</script>`
const escaped = '&lt;b&gt;&quot;it&#39;s&quot; &amp; &lt;/table&gt;&lt;script&gt;alert(1)&lt;/script&gt;'

test.each([
  ['de-AT', 'de-DE'],
  ['zh-Hant-HK', 'zh-TW'],
  ['tlh', 'en-US'],
  ['x-shop', 'en-US'],
] as const)('parameters: the locale %s is written as %s', (locale, expected) => {
  const mail = render({}, { locale })
  expect(mail).toEqual(render({}, { locale: expected }))
  expect(mail.locale).toBe(expected)
})

describe.each(members.locales)('%s', (locale) => {
  test('behavior: everything is filled in', () => {
    const { subject, text, html } = render({}, { locale })
    expect(subject).toContain(mintedToken.tokenName)
    for (const words of [text, visible(html)]) {
      for (const value of ['Dunes at Dusk #7', 'Dunes', 'Recto', 'Base Sepolia', mintedToken.contractAddress])
        expect(words).toContain(value)
      expect(words).not.toMatch(/[{}]|undefined/)
      expect(words).toContain(mailTexts[locale].nothingToDo)
    }
    expect(html).toContain(`<html lang="${locale}" dir="ltr">`)
  })

  test('behavior: what is filled in stays text', () => {
    const data = Object.fromEntries(
      Object.keys(mintedToken).map((key) => [
        key,
        /Url$/.test(key) ? `https://x.example/"${hostile}` : hostile,
      ]),
    )
    const plain = render({}, { locale }).html
    const { html, text } = render(data, { locale })
    expect(html).toContain(escaped)
    expect(text).toContain(hostile)
    expect(html.match(/<\w+/g)).toEqual(plain.match(/<\w+/g))
  })

  test('behavior: the receipt has everything filled in', () => {
    const { subject, text, html } = renderOrder('order-confirmed', confirmed, locale)
    expect(subject).toContain('the project')
    const { lines, chain: _, explorerUrl, ...facts } = confirmed
    const values = [...lines.flatMap(({ name, amount }) => [name, amount]), ...Object.values(facts)]
    for (const words of [text, visible(html)]) {
      for (const value of [...values, 'Base Sepolia', mailTexts[locale].paid]) expect(words).toContain(value)
      expect(words).not.toMatch(/[{}]|undefined/)
    }
    expect(html).toContain(`href="${explorerUrl}"`)
  })

  test('behavior: a shipment and its correction have everything filled in', () => {
    for (const isCancelled of [false, true]) {
      const data = { ...shipped, ...(isCancelled && { isCancelled: true as const }) }
      const kind = isCancelled ? 'shipment-cancelled' : 'order-shipped'
      const { subject, text, html } = renderOrder(kind, data, locale)
      expect(subject).toContain('the project')
      for (const words of [text, visible(html)]) {
        for (const value of ['Print × 2', 'Poster', shipped.trackingNumber, shipped.orderId])
          expect(words).toContain(value)
        expect(words.includes('DHL')).toBe(!isCancelled)
        expect(words).not.toMatch(/[{}]|undefined/)
      }
    }
  })

  test('behavior: the delivery has everything filled in, once for the whole order', () => {
    const { subject, text, html } = renderOrder('order-delivered', delivered, locale)
    expect(subject).toBe(mailTexts[locale].orderArrived)
    for (const words of [text, visible(html)]) {
      for (const value of [
        'Grace',
        '“Happy birthday”',
        'Dunes at Dusk #7',
        'Noon #8',
        'Noons',
        'the project',
      ])
        expect(words).toContain(value)
      expect(words).not.toMatch(/[{}]|undefined/)
    }
  })

  test('behavior: the refund has everything filled in', () => {
    const { subject, text, html } = renderOrder('order-refunded', refunded, locale)
    expect(subject).toContain('the project')
    const { chain: _, explorerUrl, ...facts } = refunded
    for (const words of [text, visible(html)]) {
      for (const value of [...Object.values(facts), 'Base Sepolia', mailTexts[locale].tokensStay])
        expect(words).toContain(value)
      expect(words).not.toMatch(/[{}]|undefined/)
    }
    expect(html).toContain(`href="${explorerUrl}"`)
  })

  test('behavior: what buyers, givers and merchants write stays text', () => {
    const pairs: [Parameters<typeof renderOrder>[0], StoredMail['data'], StoredMail['data']][] = [
      ['order-refunded', refunded, { ...refunded, reason: hostile }],
      ['order-delivered', delivered, { ...delivered, gift: { giverName: hostile, note: hostile } }],
      ['order-confirmed', confirmed, { ...confirmed, lines: [{ name: hostile, amount: '1' }] }],
    ]
    for (const [kind, plain, data] of pairs) {
      const { html, text, subject } = renderOrder(kind, data, locale)
      expect(html).toContain(escaped)
      expect(text).toContain(hostile)
      expect(subject).not.toContain(hostile)
      expect(html).not.toContain('<script')
      expect(new Set(html.match(/<\w+/g))).toEqual(
        new Set(renderOrder(kind, plain, locale).html.match(/<\w+/g)),
      )
    }
    const note = 'one\r\n\r\ntwo {giverName} $&'
    const { text } = renderOrder(
      'order-delivered',
      { ...delivered, gift: { giverName: 'Grace', note } },
      locale,
    )
    expect(text).toContain('“one two {giverName} $&”')
  })

  test('behavior: says it in its own words', () => {
    const [texts, english] = [mailTexts[locale], mailTexts['en-US']]
    expect(Object.keys(texts)).toEqual(Object.keys(english))
    if (locale === 'en-US') return
    const sentences = sentenceNames.map((key) => [texts[key], english[key]])
    for (const [own, inEnglish] of sentences) expect(own).not.toBe(inEnglish)
    expect(Object.values(texts).filter((words) => /['"]|\s{2}|^\s|\s$/.test(words))).toEqual([])
  })
})
