import { build } from '../../scripts/lib/build.mjs'
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

/** Measures how long after a block the screen shows what is in it. */
export const run = async () => {
  await build()
  // Loaded late: it stands on the library's build.
  const { measureLatency } = await import('./measureLatency.mjs')
  const purchases = await measureLatency(count)
  return [
    {
      title: `From the block to the screen: ${count} purchases, one after the other`,
      head: ['', 'Kassa, median', 'worst', 'fixed 1 s poll, median', 'worst', 'beside the peer'],
      rows: [
        toRow('block of the payment to “On its way to you”', purchases, 'paidMs'),
        toRow('block of the delivery to the receipt', purchases, 'deliveredMs'),
      ],
      notes: [
        'The whole stack in processes of its own: the service on its database, a chain with a block every 2 s, the example storefront in production mode, Chromium. Each buyer has a new profile and the demo wallet, and confirms at another moment between two blocks, so that none is favoured.',
        'A block’s moment is when its node tells a subscriber of it; the screen’s is the frame that draws the headline, seen by a MutationObserver; all clocks are the one of this machine. In between lie the service’s look at the chain (once a second), its jobs, and the page’s next poll (once a second around a payment), so the figures spread over about two seconds by chance alone.',
        'The peer is a bare loop outside the browser that polls the same order in the same purchase, whole, every second: it hears, and draws nothing.',
      ],
    },
  ]
}
