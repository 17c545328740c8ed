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
      `The buyer looks at the price for ${thinkingMs / 1000} s and at the wallet for ${signingMs / 1000} s; the chain makes a block every 2 s. Nothing is simulated but the person, so a poll more or less is where the blocks fell.`,
      'A poll is a GET of the order; Kassa also reads it whole before money moves. A write is the report of the transaction, or the renewal of a quote. Creating the order is the merchant’s server’s and not counted. The peer only follows the order: paying it would cost it more than this.',
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
      'The clocks of the pages and of the service are moved, a second at a time, and every answer arrives within its second: on a slow line there are fewer polls, never more. The same run of the same code gives the same counts, give or take the one that falls on either end.',
      'The peer is not measured on a hidden page: browsers slow its timer down there by rules of their own, which a moved clock does not follow.',
      'Bytes are those of the connections between Chromium and the service: lines, headers and bodies over HTTP/1.1, uncompressed, without TLS. Compression would shrink whole answers and HTTP/2 the headers of all. The page and the service have different origins, so a browser asks for leave first (a preflight), and remembers it only for requests that leave their caching to it: neither `no-store` nor an `If-None-Match` of their own.',
    ],
  }
}
