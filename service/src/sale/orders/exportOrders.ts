import { type OrderState, viewOrder } from 'kassa/engine'
import type { Order } from 'kassa/schema'
import type { Call } from '#base/call.js'
import { type PageRequest, readNewest } from '#base/db/readNewest.js'
import { orders } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { requireServerScope } from '#identity/authorize.js'
import { listConditions, type OrderFilters } from './readOrders.js'

/** An order of the export. */
type Row = { order: Order; createdAt: Date }

const nameItem = ({ metadata, quantity = 1 }: Order['lineItems'][number]): string =>
  `${metadata?.name ?? ''} × ${quantity}`

/** The columns, by their titles. Each amount has its currency beside it. */
const columns: readonly (readonly [title: string, read: (row: Row) => string | undefined])[] = [
  ['orderId', ({ order }) => order.orderId],
  ['createdAt', ({ createdAt }) => createdAt.toISOString()],
  ['phase', ({ order }) => order.phase],
  ['paymentStatus', ({ order }) => order.payment.status],
  ['lineItems', ({ order }) => order.lineItems.map(nameItem).join('; ')],
  ['chain', ({ order }) => order.payment.method],
  ['total', ({ order }) => order.quote.totalPrice?.amount],
  ['totalCurrency', ({ order }) => order.quote.totalPrice?.currency],
  ['received', ({ order }) => order.payment.received?.amount],
  ['receivedCurrency', ({ order }) => order.payment.received?.currency],
  ['refunded', ({ order }) => order.payment.refunded?.amount],
  ['refundedCurrency', ({ order }) => order.payment.refunded?.currency],
  ['transaction', ({ order }) => order.payment.received?.txId],
  ['payer', ({ order }) => order.payment.preparation?.payerAddress],
  ['recipientEmail', ({ order }) => order.lineItems[0]?.delivery.recipient?.email],
  ['recipientWallet', ({ order }) => order.lineItems[0]?.delivery.recipient?.walletAddress],
  ['receiptEmail', ({ order }) => order.payment.receiptEmail],
  ['locale', ({ order }) => order.locale],
]

/** How a formula begins. What a spreadsheet does not show before it does not disarm it. */
const formula = /^[\s\p{C}\p{DI}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u

/**
 * Writes a cell. A spreadsheet runs a text that begins like a formula, and a buyer writes some of these texts: an
 * apostrophe before it keeps it a text. Where semicolons or tabs separate cells, or lines are split inside quotes, a
 * cell begins inside the text too.
 */
export const writeCell = (value = ''): string => {
  const cells = value.split(/([;\t\r\n])/).map((cell) => (formula.test(cell) ? `'${cell}` : cell))
  const disarmed = cells.join('')
  const text = /^[;\t\r\n]/.test(disarmed) ? `'${disarmed}` : disarmed
  return /[",\r\n;']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Without a byte order mark, Excel reads UTF-8 as the code page of its computer. */
const byteOrderMark = '\uFEFF'

const writeLine = (cells: readonly (string | undefined)[]): string => `${cells.map(writeCell).join(',')}\r\n`

/** How many orders are read at a time: what is held in memory, and how often the caller's pace is waited for. */
const perRead = 500

/**
 * Exports a project's orders as CSV. They are read page by page as the caller takes them, each page from where the one
 * before ended, so that an export of a million orders holds no transaction and a page of them in memory. An order that
 * changes meanwhile is exported as it is when its page is read.
 *
 * @throws {@link ServiceError} `forbidden`.
 */
export const exportOrders = async (
  deps: Pick<Deps, 'db' | 'now'>,
  { actor }: Call,
  { sort, ...filters }: OrderFilters & Pick<PageRequest, 'sort'>,
): Promise<ReadableStream<Uint8Array>> => {
  requireServerScope(actor, 'orders.read')
  const conditions = await listConditions(deps, actor.projectId, filters)
  const readPage = (cursor: string | undefined) =>
    readNewest({ limit: perRead, sort, cursor }, orders, ({ beyond, order, limit }) =>
      deps.db
        .select({ order: orders.document, createdAt: orders.createdAt, id: orders.id })
        .from(orders)
        .where(beyond(...conditions))
        .orderBy(...order)
        .limit(limit),
    )
  const view = (order: OrderState): Order => viewOrder(order, deps.now(), 'merchant')
  const encoder = new TextEncoder()
  let cursor: string | undefined
  let isFirst = true
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { rows, nextCursor } = await readPage(cursor)
        const lines = rows.map(({ order, createdAt }) => {
          const row = { order: view(order), createdAt }
          return writeLine(columns.map(([, read]) => read(row)))
        })
        const titles = isFirst ? byteOrderMark + writeLine(columns.map(([title]) => title)) : ''
        isFirst = false
        cursor = nextCursor
        controller.enqueue(encoder.encode(titles + lines.join('')))
        if (nextCursor === undefined) controller.close()
      },
    },
    // Nothing is read before the caller takes what was read before.
    { highWaterMark: 0 },
  )
}
