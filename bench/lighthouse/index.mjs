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

/**
 * How the figures of a device come about.
 * @type {Record<string, string>}
 */
const methods = {
  phone:
    'Lighthouse computes what a phone on a slow 4G network and with a quarter of the speed would take, from a visit at full speed. For the largest paint it counts each script that arrived before the first paint. With the service on the same machine these are most of them in some visits and few in others.',
  'slowed-down phone':
    'Chromium itself slows down the network and the processor as much, and the paints are the ones that were seen.',
  desktop:
    'Lighthouse computes what a desktop on a 10 Mbit/s network would take, from a visit at full speed.',
}

/** Measures how fast the storefront's pages appear, on a phone and on a desktop. */
export const run = async () => {
  await build()
  // Loaded late: it stands on the library's build.
  const { measurePages } = await import('./measurePages.mjs')
  const visited = await measurePages(count)
  return visited.map(({ device, pages }) => ({
    title: `The storefront on a ${device}: Lighthouse, medians of ${count}`,
    head: ['page', ...columns.map(([title]) => title)],
    rows: pages.map(({ page, visits }) => [
      page,
      ...columns.map(([, read, unit = '']) => `${median(visits.map(read))}${unit}`),
    ]),
    notes: [
      'The storefront runs in production mode, with the service on the same machine. Each visit is the first one of a new profile.',
      `${methods[device]}`,
      '*Busy* is the share of the machine that other programs used right before the visit. A visit waits up to two minutes for less than a fifth. On a busier machine, blocking and performance are worse than the page is.',
    ],
  }))
}
