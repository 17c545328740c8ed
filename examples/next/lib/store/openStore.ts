import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isRecord } from '../read'
import { applyEvent, type OrderEvent } from './applyEvent'
import { isShopOrder, type ShopOrder } from './ShopOrder'

/** The shop's order storage. */
export type OrderStore = {
  /** Stores an event and resolves once it is on disk. Ignores an id it has already stored. */
  record(event: OrderEvent, id: string): Promise<void>
  /** The shop's orders, newest first. */
  list(): Promise<ShopOrder[]>
}

declare global {
  /** The last writer of each file. Next may load a module more than once, and all copies share this queue. */
  var shopWriters: Map<string, Promise<unknown>> | undefined
}

const damaged = (path: string, cause: unknown): Error =>
  new Error(
    `The shop's orders in ${path} cannot be read. Put a copy in its place, or move it away to begin anew.`,
    { cause },
  )

const read = async (path: string): Promise<ShopOrder[]> => {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw damaged(path, error)
  }
  try {
    const value: unknown = JSON.parse(text)
    const orders = isRecord(value) ? value.orders : undefined
    if (Array.isArray(orders) && orders.every(isShopOrder)) return orders
  } catch (error) {
    throw damaged(path, error)
  }
  throw damaged(path, 'it is JSON, but holds something else')
}

/**
 * Writes the file atomically: a concurrent reader, or one after a power failure, sees either the old or the
 * new content.
 */
const write = async (path: string, orders: readonly ShopOrder[]): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify({ orders }, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

/** Runs a task that writes to a file after all earlier tasks for it have settled. */
const withMutex = <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
  globalThis.shopWriters ??= new Map()
  const turn = (globalThis.shopWriters.get(path) ?? Promise.resolve()).then(work)
  globalThis.shopWriters.set(
    path,
    turn.catch(() => undefined),
  )
  return turn
}

/**
 * Opens the shop's orders: one JSON file for one server. A shop on several servers keeps them in its
 * database, by the same rules.
 *
 * @throws Error from every method, naming the file, when it exists but cannot be read. The file is never
 * overwritten with an empty one.
 */
export const openStore = (file: string): OrderStore => {
  const path = resolve(file)
  return {
    record: (event, id) =>
      withMutex(path, async () => {
        const orders = await read(path)
        const known = orders.find(({ orderId }) => orderId === event.data.orderId)
        const order = applyEvent(known, event, id)
        if (order !== known) await write(path, [order, ...orders.filter((other) => other !== known)])
      }),
    list: async () => (await read(path)).sort((one, other) => other.placedAtMs - one.placedAtMs),
  }
}
