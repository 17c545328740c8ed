import { readdirSync, readFileSync } from 'node:fs'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { Collection, Order, Shipment } from 'kassa/schema'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueries } from '../../console/src/api/queries.js'
import type { Session } from '../../console/src/api/requests.js'
import { CreateCollectionDialog } from '../../console/src/collections/CreateCollectionDialog.js'
import { EditCollectionDialog } from '../../console/src/collections/EditCollectionDialog.js'
import { MintDialog } from '../../console/src/collections/MintDialog.js'
import { SaleDialog } from '../../console/src/collections/sale/SaleDialog.js'
import { ToastProvider } from '../../console/src/components/Toast.js'
import { CreateKeyDialog } from '../../console/src/developers/CreateKeyDialog.js'
import { EndpointDialog } from '../../console/src/developers/EndpointDialog.js'
import { RefundAddressDialog } from '../../console/src/order/RefundAddressDialog.js'
import { RefundDialog } from '../../console/src/order/RefundDialog.js'
import { ShipDialog } from '../../console/src/order/ShipDialog.js'
import { ShipmentsCard } from '../../console/src/order/ShipmentsCard.js'
import { CreateLinkDialog } from '../../console/src/paymentLinks/CreateLinkDialog.js'
import { Shell } from '../../console/src/shell/Shell.js'
import { InviteDialog } from '../../console/src/team/InviteDialog.js'

type Sent = { method: string; path: string; body: unknown; key: string | null }

const session: Session = {
  sessionId: 's',
  projectName: 'Prints',
  environment: 'staging',
  namespace: 'kassa',
  explorers: {},
  account: { accountId: 'a', name: 'ada@example.com', role: 'owner' },
  scopes: ['orders.read', 'orders.ship', 'orders.refund', 'collections.update', 'console.members'],
  chains: ['base-sepolia'],
}

/** What the page has sent that changes something. */
let sent: Sent[] = []
/** The session that the service knows; null once it has ended. */
let known: Session | null = session
/** Answers what changes something. */
let answer: () => Response | Promise<Response>

const refuse = () => Response.json({ error: true, message: 'not today' }, { status: 400 })

beforeEach(() => {
  sent = []
  known = session
  answer = refuse
  vi.stubGlobal('fetch', async (input: string | URL, init: RequestInit = {}) => {
    const path = `${input}`
    const method = init.method ?? 'GET'
    if (path.endsWith('/account/session')) return Response.json(known ?? {}, { status: known ? 200 : 401 })
    if (path.endsWith('/auth/methods')) return Response.json({ email: false })
    if (method === 'GET' && path.includes('/collections?')) return Response.json({ results: [collection] })
    if (method === 'GET') return Response.json({ data: [] })
    const key = new Headers(init.headers).get('x-idempotency-key')
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body
    sent.push({ method, path, body, key })
    return answer()
  })
})
afterEach(() => vi.unstubAllGlobals())

const show = async (dialog: ReactNode) => {
  const root = createRootRoute({ component: Shell })
  const page = createRoute({ getParentRoute: () => root, path: '/', component: () => dialog })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const queries = createQueries()
  render(
    <QueryClientProvider client={queries}>
      <ToastProvider>
        <RouterProvider router={router as never} />
      </ToastProvider>
    </QueryClientProvider>,
    // Rendering twice doubles the minute that the walk takes.
    { reactStrictMode: false },
  )
  return queries
}

const open = async (dialog: ReactNode, button: string) => {
  const queries = await show(dialog)
  fireEvent.click(await screen.findByRole('button', { name: button }))
  return { queries, box: await screen.findByRole('dialog') }
}

const wallet = `0x${'11'.repeat(20)}`
const collection: Collection = {
  id: 'prints',
  onChain: { chain: 'base-sepolia' },
  metadata: { name: 'Prints', description: 'On paper', imageUrl: 'https://cdn.example/a.png' },
  payments: { price: '0.25', currency: 'eth' },
  supplyLimit: 500,
  sale: {
    startsAt: '2030-01-10T12:00:00.000Z',
    endsAt: '2030-06-17T12:00:00.000Z',
    maxPerBuyer: { wallet: 2, email: 3, payer: 4 },
    phases: [
      {
        name: 'Members',
        allowList: { addressCount: 3 },
        maxTokens: 50,
        startsAt: '2030-01-11T12:00:00.000Z',
      },
      {
        name: 'Tree',
        startsAt: '2030-01-12T12:00:00.000Z',
        allowList: { merkleRoot: `0x${'cd'.repeat(32)}` },
      },
    ],
    promotionCodes: [
      { code: 'SUMMER-20', percent: '20', limit: 100, expiresAt: '2030-01-12T00:00:00.000Z' },
      { code: 'FRIENDS', amount: '0.002' },
    ],
  },
} as Collection

const shipment = {
  shipmentId: 'h',
  carrier: 'DPD',
  lineItems: [{ index: 0 }],
  status: 'shipped',
  shippedAt: '2030-01-01T00:00:00.000Z',
} as unknown as Shipment
const order = {
  orderId: 'o',
  phase: 'completed',
  quote: { status: 'valid' },
  payment: {
    status: 'completed',
    currency: 'usdc',
    method: 'base-sepolia',
    balances: { captured: '5000', refunded: '0', refundable: '5000' },
    refundHeld: { amount: '3', currency: 'usdc', chain: 'base-sepolia', reason: 'contract-payer' },
  },
  lineItems: [
    {
      quote: { status: 'valid' },
      delivery: { status: 'completed', recipient: { physicalAddress: { name: 'Ada' } } },
    },
  ],
} as unknown as Order

type Dialog = {
  /** The source file whose fields it has. */
  files: string[]
  element: ReactNode
  button: string
  /** Before its fields are walked. */
  prepare?(box: HTMLElement): void
}

const dialogs: Dialog[] = [
  {
    files: ['collections/CreateCollectionDialog.tsx', 'collections/PictureFields.tsx'],
    element: <CreateCollectionDialog />,
    button: 'Create a collection',
  },
  {
    files: ['collections/EditCollectionDialog.tsx'],
    element: <EditCollectionDialog collection={collection} />,
    button: 'Edit',
  },
  {
    files: ['collections/MintDialog.tsx'],
    element: <MintDialog collection={collection} />,
    button: 'Mint a token',
  },
  {
    files: [
      'collections/sale/SaleDialog.tsx',
      'collections/sale/PhaseRow.tsx',
      'collections/sale/CodeRow.tsx',
    ],
    element: <SaleDialog collection={collection} />,
    button: 'Edit the rules',
    prepare: (box) => {
      fireEvent.change(within(box).getByRole('textbox', { name: 'Wallets' }), { target: { value: wallet } })
    },
  },
  {
    files: ['order/RefundAddressDialog.tsx'],
    element: <RefundAddressDialog order={order} />,
    button: 'Name a refund address',
  },
  {
    files: ['order/RefundDialog.tsx'],
    element: <RefundDialog order={order} />,
    button: 'Refund',
    prepare: (box) => {
      fireEvent.click(within(box).getByRole('radio', { name: 'An amount' }))
      fireEvent.change(within(box).getByRole('textbox', { name: 'Amount in USDC' }), {
        target: { value: '3' },
      })
    },
  },
  {
    files: ['order/ShipDialog.tsx'],
    element: <ShipDialog order={order} />,
    button: 'Ship',
    prepare: (box) => {
      fireEvent.change(within(box).getByRole('textbox', { name: 'Carrier' }), { target: { value: 'DHL' } })
    },
  },
  {
    files: ['order/ShipmentsCard.tsx'],
    element: <ShipmentsCard order={{ ...order, shipments: [shipment] } as unknown as Order} />,
    button: 'Take back the shipment with DPD',
  },
  {
    files: ['developers/CreateKeyDialog.tsx'],
    element: <CreateKeyDialog />,
    button: 'Create a key',
    prepare: (box) => {
      fireEvent.click(within(box).getByRole('radio', { name: /Client key/ }))
      type(box, 'origins', 'https://shop.example')
    },
  },
  {
    files: ['developers/EndpointDialog.tsx'],
    element: <EndpointDialog />,
    button: 'Add an endpoint',
  },
  {
    files: ['paymentLinks/CreateLinkDialog.tsx'],
    element: <CreateLinkDialog />,
    button: 'Create a link',
  },
  { files: ['team/InviteDialog.tsx'], element: <InviteDialog />, button: 'Invite' },
]

test('default: every source file with fields is walked', () => {
  const folder = 'console/src'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const withFields = files.filter(
    (file) =>
      file.endsWith('.tsx') &&
      /<(?:Field|OptionalField|TextArea)\b/.test(readFileSync(`${folder}/${file}`, 'utf8')),
  )
  // The sign-in sends an address as it was typed, and has no dialog of its own.
  const expected = [...dialogs.flatMap((dialog) => dialog.files), 'shell/SignIn.tsx']
  // PictureFields stands in three dialogs.
  expect(withFields.toSorted()).toEqual(expected.toSorted())
})

/** What can be typed, and which number it is in English. */
const spellings: [text: string, number?: string][] = [
  ['1,000', '1000'],
  ['1000', '1000'],
  ['1,000.50', '1000.50'],
  ['1.000,50'],
  ['1.000', '1.000'],
  ['1.000,'],
  ['1,000.'],
  ['2 per person'],
  ['10%'],
  ['-1'],
  ['1e3'],
  ['0x10'],
  ['Infinity'],
  ['NaN'],
  ['1 000'],
  ['1,0000'],
  ['007'],
  [' 42 ', '42'],
  ['１２', '12'],
  ['٤٢'],
  [''],
]

/** A value that a field takes, made of a digit, so that it stands nowhere else. */
const valueFor = ({ name, inputMode, type }: HTMLInputElement, digit: 5 | 7): string => {
  if (name.endsWith('addresses') || name === 'refundAddress') return `0x${`${digit}`.repeat(40)}`
  if (name.endsWith('merkleRoot')) return `0x${`${digit}`.repeat(64)}`
  if (name === 'origins' || type === 'url' || name === 'trackingUrl') return `https://s${digit}.example`
  if (type === 'datetime-local') return `2031-02-03T04:0${digit}`
  return inputMode === 'decimal' || inputMode === 'numeric' ? `${digit}${digit}` : `text${digit}`
}

const listLeaves = (value: unknown, path: string[] = []): [path: string, leaf: unknown][] =>
  value && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, each]) => listLeaves(each, [...path, key]))
    : [[path.join('.'), value]]

/** Waits turn by turn: `waitFor` looks only every 50 ms, and here it is waited a thousand times. */
const until = async (isTrue: () => boolean): Promise<void> => {
  for (let turns = 0; turns < 1000; turns += 1) {
    if (isTrue()) return
    await act(() => new Promise((resolve) => setTimeout(resolve)))
  }
  expect.fail('nothing was sent, and no field was marked')
}

/** Submits a dialog, and returns what it sent; undefined if it sent nothing. */
const submit = async (box: HTMLElement): Promise<Sent | undefined> => {
  sent = []
  const press = async (button: Element | undefined) => {
    if (button) await act(async () => void fireEvent.click(button))
  }
  // Not by roles: to find those takes long in a long form.
  const find = (text: RegExp) =>
    [...box.querySelectorAll('button')].find(({ textContent }) => text.test(textContent))
  const form = box.querySelector('form')
  if (!form) throw new Error('no form')
  await act(async () => void fireEvent.submit(form))
  await until(() => !box.querySelector('form [aria-disabled="true"]'))
  await press(find(/^Refund \d/))
  await until(() => sent.length > 0 || box.querySelector('[aria-invalid]') !== null)
  await until(() => !box.querySelector('[aria-disabled="true"]'))
  const first = sent[0]
  await press(find(/^Back$/))
  return first
}

const fieldsOf = (box: HTMLElement) =>
  [
    ...box.querySelectorAll<HTMLInputElement>(
      'form :is(input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea)',
    ),
  ].map(({ name }) => name)

const find = (box: HTMLElement, name: string): HTMLInputElement => {
  const field = box.querySelector<HTMLInputElement>(`form [name="${name}"]`)
  if (!field) throw new Error(`no field ${name}`)
  return field
}

const type = (box: HTMLElement, name: string, value: string) =>
  fireEvent.change(find(box, name), { target: { value } })

test.each(dialogs)('behavior: no field takes a text for something else: $button', async (dialog) => {
  const { box } = await open(dialog.element, dialog.button)
  await until(() => box.querySelector('form') !== null)
  dialog.prepare?.(box)
  const names = fieldsOf(box)
  expect(names.length).toBeGreaterThan(0)
  expect(names).toEqual([...new Set(names)].filter(Boolean))
  for (const name of names) {
    const sentinel = valueFor(find(box, name), 7)
    type(box, name, sentinel)
    const whole = sentinel.startsWith('2031') ? new Date(sentinel).toISOString() : sentinel
    const baseline = listLeaves((await submit(box))?.body)
    const [path, leaf] =
      baseline.find(([, value]) => `${value}`.toLowerCase().includes(whole.toLowerCase())) ??
      expect.fail(`${name}: not sent`)
    const { inputMode, type: kind } = find(box, name)
    const isNumber = inputMode === 'decimal' || inputMode === 'numeric'
    const isRead = isNumber || kind === 'datetime-local' || /addresses|origins|merkleRoot/.test(name)
    for (const [text, number] of spellings) {
      type(box, name, text)
      const typed = find(box, name).value
      const body = (await submit(box))?.body
      const where = `${name}: ${JSON.stringify(text)}`
      if (body === undefined) {
        const field = find(box, name)
        expect([where, field.getAttribute('aria-invalid')]).toEqual([where, 'true'])
        const problem = document.getElementById(field.getAttribute('aria-describedby')?.split(' ')[0] ?? '')
        expect([where, problem?.textContent]).toEqual([where, expect.stringMatching(/^.+\.$/)])
        expect(field.value).toBe(typed)
        continue
      }
      const value = listLeaves(body).find(([each]) => each === path)?.[1]
      if (isRead) {
        // Only the number that was typed; and what is no number went nowhere.
        expect([where, isNumber && number !== undefined]).toEqual([where, true])
        expect([where, `${value}`]).toEqual([where, inputMode === 'numeric' ? `${Number(number)}` : number])
      } else if (text.trim()) {
        const whole = `${leaf}`.replace(sentinel, text.trim())
        expect([where, `${value}`.toLowerCase()]).toEqual([where, whole.toLowerCase()])
      } else expect([where, value ?? '']).toEqual([where, `${leaf}`.replace(sentinel, '')])
    }
    type(box, name, valueFor(find(box, name), 5))
  }
})

test('default: a limit of 1,000 is a thousand', async () => {
  const { box } = await open(<EditCollectionDialog collection={collection} />, 'Edit')
  type(box, 'supplyLimit', '1,000')
  expect((await submit(box))?.body).toEqual({ supplyLimit: 1000 })
})

test('behavior: an emptied limit is not removed, but the switch removes it', async () => {
  const { box } = await open(<EditCollectionDialog collection={collection} />, 'Edit')
  type(box, 'supplyLimit', '')
  expect(await submit(box)).toBeUndefined()
  const problem = 'Enter a whole number from 1 to 2,147,483,647, or choose “No limit”.'
  expect(box.textContent).toContain(problem)
  expect(document.activeElement).toBe(find(box, 'supplyLimit'))
  fireEvent.click(within(box).getByRole('checkbox', { name: 'No limit' }))
  expect(box.textContent).not.toContain(problem)
  expect((await submit(box))?.body).toEqual({ supplyLimit: 'unlimited' })
})

test('behavior: the word “unlimited” removes a limit, as the switch does', async () => {
  const { box } = await open(<EditCollectionDialog collection={collection} />, 'Edit')
  type(box, 'supplyLimit', ' Unlimited ')
  expect((await submit(box))?.body).toEqual({ supplyLimit: 'unlimited' })
})

test('behavior: an emptied price does not end the sale, but the switch does', async () => {
  const { box } = await open(<EditCollectionDialog collection={collection} />, 'Edit')
  type(box, 'price', '')
  expect(await submit(box)).toBeUndefined()
  fireEvent.click(within(box).getByRole('checkbox', { name: 'Not for sale' }))
  expect((await submit(box))?.body).toEqual({ payments: null })
})

test('error: a part of a date is no empty date', async () => {
  const { box } = await open(<SaleDialog collection={collection} />, 'Edit the rules')
  const field = find(box, 'endsAt')
  fireEvent.click(within(field.closest('.field') as HTMLElement).getByRole('checkbox', { name: 'No end' }))
  // A browser has no value for a part of a date, and says so here alone.
  Object.defineProperty(field, 'validity', { value: { badInput: true } })
  expect(await submit(box)).toBeUndefined()
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('behavior: Escape asks before it throws text away', async () => {
  const { box } = await open(<MintDialog collection={collection} />, 'Mint a token')
  type(box, 'name', 'Dawn')
  fireEvent.keyDown(find(box, 'name'), { key: 'Escape' })
  const question = await screen.findByRole('alertdialog')
  fireEvent.click(within(question).getByRole('button', { name: 'Keep editing' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(find(box, 'name').value).toBe('Dawn')
  fireEvent.keyDown(find(box, 'name'), { key: 'Escape' })
  const again = await screen.findByRole('alertdialog')
  fireEvent.click(within(again).getByRole('button', { name: 'Throw away' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([])
})

test('behavior: Escape closes a dialog in which nothing was entered', async () => {
  const { box } = await open(<MintDialog collection={collection} />, 'Mint a token')
  fireEvent.keyDown(find(box, 'name'), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('behavior: a session that has ended signs in beside the form, and the text stays', async () => {
  const { box, queries } = await open(<MintDialog collection={collection} />, 'Mint a token')
  type(box, 'recipient', 'ada@example.com')
  known = null
  answer = () => Response.json({ error: true, message: 'signed out' }, { status: 401 })
  await submit(box)
  await within(box).findByRole('heading', { name: 'Your session has ended' })
  within(box).getByRole('button', { name: 'Sign in with a passkey' })
  expect(find(box, 'recipient').value).toBe('ada@example.com')
  known = session
  answer = refuse
  await act(() => queries.invalidateQueries())
  await waitFor(() => expect(within(box).queryByText('Your session has ended')).toBeNull())
  expect(find(box, 'recipient').value).toBe('ada@example.com')
  expect((await submit(box))?.body).toMatchObject({ recipient: 'email:ada@example.com:base-sepolia' })
})

test('behavior: another person who signs in finds nothing of what was entered', async () => {
  const { box, queries } = await open(<MintDialog collection={collection} />, 'Mint a token')
  type(box, 'recipient', 'ada@example.com')
  known = null
  answer = () => Response.json({ error: true, message: 'signed out' }, { status: 401 })
  await submit(box)
  known = { ...session, account: { ...session.account, accountId: 'b' } }
  await act(() => queries.invalidateQueries())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([
  ['Mint a token', <MintDialog key="m" collection={collection} />, 'name'],
  ['Ship', <ShipDialog key="s" order={order} />, 'carrier'],
  ['Add an endpoint', <EndpointDialog key="e" />, 'url'],
  ['Create a key', <CreateKeyDialog key="k" />, 'name'],
  ['Refund', <RefundDialog key="r" order={order} />, 'reason'],
])('behavior: a lost answer keeps its key when the same is sent again: %s', async (button, dialog, name) => {
  answer = () => Promise.reject(new TypeError('connection lost'))
  const { box } = await open(dialog, button)
  type(box, name, 'Dawn')
  const first = await submit(box)
  const again = await submit(box)
  expect(first?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toEqual(first)
  type(box, name, 'Dusk')
  expect((await submit(box))?.key).not.toBe(first?.key)
  type(box, name, 'Dawn')
  expect((await submit(box))?.key).toBe(first?.key)
  cleanup()
})
