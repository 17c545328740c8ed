import { median, medianAndWorst, ratio } from '../lib/summary.mjs'
import type { Table } from '../report/table.mjs'
import type { Bill } from './bill.js'
import type { Hour } from './measureHour.js'
import { type Purchase, signingMs, thinkingMs } from './measurePurchases.js'

type Column = { name: string; read(bill: Bill): number; format(value: number): string }

const whole = (value: number): string => String(Math.round(value))
const kilobytes = (value: number): string => (value / 1000).toFixed(1)

const columns: Column[] = [
  { name: 'requests', read: (bill) => bill.reads + bill.writes + bill.preflights, format: whole },
  { name: 'polls', read: ({ reads }) => reads, format: whole },
  { name: '304', read: ({ unchanged }) => unchanged, format: whole },
  { name: '200', read: ({ whole: count }) => count, format: whole },
  { name: 'writes', read: ({ writes }) => writes, format: whole },
  { name: 'preflights', read: ({ preflights }) => preflights, format: whole },
  { name: 'kB sent', read: ({ sentBytes }) => sentBytes, format: kilobytes },
  { name: 'kB received', read: ({ receivedBytes }) => receivedBytes, format: kilobytes },
  { name: 'kB in all', read: ({ totalBytes }) => totalBytes, format: kilobytes },
]

const head = ['', ...columns.map(({ name }) => name), 'beside the peer', 'calls of the node']
const peerName = 'fixed 1 s poll, no ETag'

/** What one purchase cost Kassa and its peer. */
export const tabulatePurchases = (purchases: readonly Purchase[]): Table => {
  const ours = purchases.map(({ kassa }) => kassa)
  const peers = purchases.map(({ peer }) => peer)
  const cells = (bills: readonly Bill[]): string[] =>
    columns.map(({ read, format }) => medianAndWorst(bills.map(read), format))
  const bytes = (bills: readonly Bill[]): number => median(bills.map(({ totalBytes }) => totalBytes))
  const nodeRequests = purchases.map((purchase) => purchase.nodeRequests)
  return {
    title: `One purchase, from the open page to the receipt: median (worst) of ${purchases.length}`,
    head,
    rows: [
      ['Kassa', ...cells(ours), ratio(bytes(ours), bytes(peers)), medianAndWorst(nodeRequests, whole)],
      [peerName, ...cells(peers), ratio(1, 1), ''],
    ],
    notes: [
      `The buyer looks at the price for ${thinkingMs / 1000} s and at the wallet for ${signingMs / 1000} s; the chain makes a block every 2 s. Only the buyer is simulated. Counts vary by one poll, depending on when the blocks arrive.`,
      'A poll is a GET of the order. Kassa also reads the whole order before it pays. A write reports a transaction or refreshes a quote. The merchant’s server creates the order, which is not counted. The peer only follows the order and does not pay it.',
    ],
  }
}

/** What an order cost that was left open for an hour, by how it was left. */
export const tabulateHour = (hours: readonly Hour[], peer: Bill): Table => {
  const cells = (bill: Bill): string[] => columns.map(({ read, format }) => format(read(bill)))
  return {
    title: 'An order left open for an hour',
    head,
    rows: [
      ...hours.map(({ left, bill, nodeRequests }) => [
        left,
        ...cells(bill),
        ratio(bill.totalBytes, peer.totalBytes),
        whole(nodeRequests),
      ]),
      [`${peerName}, in view`, ...cells(peer), ratio(1, 1), ''],
    ],
    notes: [
      'The benchmark advances the clocks of the pages and the service by a second at a time, and each answer arrives within its second. A slow connection makes fewer polls. Repeated runs differ by one poll at most.',
      'The peer is not measured on a hidden page, because browsers throttle its timer there by their own clock.',
      'Bytes are the HTTP/1.1 traffic between Chromium and the service, uncompressed and without TLS. Compression would shrink the bodies, and HTTP/2 the headers. The page and the service have different origins, so the browser sends preflight requests. It caches them only for requests without `no-store` and without an `If-None-Match` header.',
    ],
  }
}
