import { build } from '../../scripts/lib/build.mjs'
import { loadTypeScript } from '../lib/loadTypeScript.mjs'
import { median, ratio } from '../lib/summary.mjs'

/**
 * @typedef {import('./measurePurchase.mjs').Latency} Latency
 * @typedef {{ kassa: Latency, peer: Latency }} Purchase
 */

/** The bench's name. */
export const name = 'latency'

const count = 20

/** @param {number} ms */
const milliseconds = (ms) => `${Math.round(ms)} ms`

/**
 * @param {string} title
 * @param {readonly Purchase[]} purchases
 * @param {keyof Latency} what
 */
const toRow = (title, purchases, what) => {
  const kassa = purchases.map((purchase) => purchase.kassa[what])
  const peer = purchases.map((purchase) => purchase.peer[what])
  return [
    title,
    ...[kassa, peer].flatMap((values) => [milliseconds(median(values)), milliseconds(Math.max(...values))]),
    ratio(median(kassa), median(peer)),
  ]
}

/** Measures how long after a block the service has seen what is in it, and the screen shows it. */
export const run = async () => {
  await build()
  // Loaded late: it stands on the library's build.
  const { measureLatency } = await import('./measureLatency.mjs')
  const purchases = await measureLatency(count)
  /** @type {{ measureNode(): Promise<import('../report/table.mjs').Table> }} */
  const { measureNode } = await loadTypeScript(new URL('./measureNode.ts', import.meta.url))
  return [
    {
      title: `From the block to the screen: ${count} purchases, one after the other`,
      head: ['', 'Kassa, median', 'worst', 'fixed 1 s poll, median', 'worst', 'beside the peer'],
      rows: [
        toRow('block of the payment to “On its way to you”', purchases, 'paidMs'),
        toRow('block of the delivery to the receipt', purchases, 'deliveredMs'),
      ],
      notes: [
        'Every program is a process of its own: the service with its database, a chain with a block every 2 s, the example storefront in production mode, and Chromium. Each buyer has a new profile and the demo wallet, and confirms at a different moment between two blocks.',
        'The time starts when the node announces the block to a subscriber, and ends at the frame that draws the headline, seen by a MutationObserver on the same machine. In between, the service hears of the block over its subscription, reads the payments in it and runs its jobs, and the page hears of the order over its stream.',
        'The peer is a loop outside the browser. It polls the same order every second and draws nothing.',
      ],
    },
    await measureNode(),
  ]
}
