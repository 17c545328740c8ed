import { say } from '../../scripts/lib/steps.mjs'
import type { Table } from '../report/table.mjs'
import { measureHour } from './measureHour.js'
import { measurePurchases } from './measurePurchases.js'
import { openWorld } from './openWorld.js'
import { tabulateHour, tabulatePurchases } from './tables.js'

const buyers = 5

/** Counts what the page asks of the service, and in how many bytes, beside a fixed poll in the same run. */
export const measureRequests = async (): Promise<Table[]> => {
  const world = await openWorld()
  try {
    say(`  ${buyers} purchases…`)
    const purchases = await measurePurchases(world, buyers)
    const [completed] = purchases
    if (!completed) throw new Error('Nothing was bought.')
    const { kassa, peer } = await measureHour(world, completed.sale)
    return [tabulatePurchases(purchases), tabulateHour(kassa, peer)]
  } finally {
    await world.close()
  }
}
