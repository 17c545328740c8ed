import { build } from '../../scripts/lib/build.mjs'
import { median } from '../lib/summary.mjs'

/** The bench's name. */
export const name = 'lighthouse'

const count = 3

/** @typedef {import('./measurePages.mjs').Visit} Visit */

/**
 * What is measured: its title, how to read it from a visit, and its unit.
 * @type {readonly [string, (visit: Visit) => number, string?][]}
 */
const columns = [
  ['performance', ({ performance }) => performance],
  ['accessibility', ({ accessibility }) => accessibility],
  ['first paint', ({ fcpMs }) => Math.round(fcpMs), ' ms'],
  ['largest paint', ({ lcpMs }) => Math.round(lcpMs), ' ms'],
  ['blocking', ({ tbtMs }) => Math.round(tbtMs), ' ms'],
  ['layout shift', ({ cls }) => Number(cls.toFixed(3))],
  ['transferred', ({ bytes }) => Math.round(bytes / 1000), ' kB'],
  ['busy', ({ busy }) => Math.round(busy * 100), ' %'],
]

/** Measures how fast the storefront's pages appear, on a phone and on a desktop. */
export const run = async () => {
  await build()
  // Loaded late: it stands on the library's build.
  const { measurePages } = await import('./measurePages.mjs')
  const visited = await measurePages(count)
  return visited.map(({ device, method, pages }) => ({
    title: `The storefront on a ${device}: Lighthouse, medians of ${count}`,
    head: ['page', ...columns.map(([title]) => title)],
    rows: pages.map(({ page, visits }) => [
      page,
      ...columns.map(([, read, unit = '']) => `${median(visits.map(read))}${unit}`),
    ]),
    notes: [
      'The storefront runs in production mode, with the service on the same machine. Each visit is the first one of a new profile.',
      method,
      '*Busy* is the share of the machine that other programs used right before the visit. A visit waits up to two minutes for less than a fifth. On a busier machine, blocking and performance are worse than the page is.',
    ],
  }))
}
