import type { Order } from 'kassa/schema'
import { addOne, type Change, createOrder } from './orders.js'

/** One way of showing an order that changes. */
export type Variant = {
  mount(container: Element, order: Order): void
  /** What has to happen before a change, and is not measured. */
  prepare?(next: Order, at: number, change: Change): void
  /** Shows the next order, of which one line item differs. */
  update(next: Order, at: number, change: Change): void
  /** What belongs to a change, and comes after what the buyer sees of it. */
  finish?(change: Change): void
}

/** What the page does when it is asked from outside. */
export type UpdatesPage = {
  mount(count: number): Promise<void>
  /** Milliseconds from each of so many changes to its commit. */
  measure(change: Change, rounds: number): Promise<number[]>
  /** Components rendered for one change, until all is quiet again. */
  countRenders(change: Change): Promise<number>
}

declare global {
  interface Window {
    updates: UpdatesPage
    /** Put there before React comes, by `countRenders.mjs`. */
    renderCounter: { start(): void; stop(): number }
    /** The engine's own, which a flag of the browser lets out. */
    gc(options: { type: 'minor' }): void
  }
}

// A new task after a new frame: what is measured begins with no work before it and no timer around it.
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    })
  })

/** When an element shows something else: the microtask after the commit that changes it. */
const whenChanged = (element: Element): Promise<number> =>
  new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const ms = performance.now()
      observer.disconnect()
      resolve(ms)
    })
    observer.observe(element, { characterData: true, childList: true, subtree: true })
  })

/** Exposes a variant to the script that drives the page. */
export const startVariant = (variant: Variant): void => {
  let order = createOrder(0)

  const changeOnce = async (change: Change): Promise<number> => {
    const at = Math.floor(order.lineItems.length / 2)
    const next = addOne(order, at, change)
    const element = document.querySelector(`li:nth-child(${at + 1}) > span:nth-of-type(2)`)
    if (!element) throw new Error('There is no line item to change.')
    variant.prepare?.(next, at, change)
    await nextTurn()
    // What an earlier change left is none of this one's business.
    window.gc({ type: 'minor' })
    const changed = whenChanged(element)
    const fromMs = performance.now()
    variant.update(next, at, change)
    const ms = (await changed) - fromMs
    const shown = element.textContent
    order = next
    if (variant.finish) {
      variant.finish(change)
      await nextTurn()
      await nextTurn()
    }
    if (shown !== `×\u00a0${next.lineItems[at]?.quantity}`) throw new Error(`The page shows ${shown}.`)
    return ms
  }

  window.updates = {
    mount: async (count) => {
      order = createOrder(count)
      const container = document.getElementById('root')
      if (!container) throw new Error('The page has no root.')
      variant.mount(container, order)
      const isDrawn = () =>
        document.images.length === count && [...document.images].every(({ complete }) => complete)
      while (!isDrawn()) await nextTurn()
    },
    measure: async (change, rounds) => {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) times.push(await changeOnce(change))
      return times
    },
    countRenders: async (change) => {
      window.renderCounter.start()
      await changeOnce(change)
      await nextTurn()
      return window.renderCounter.stop()
    },
  }
}
