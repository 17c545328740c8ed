import type { Shop } from './createShop.js'

/** Runs a task while the chain mines no blocks automatically. */
export const withoutBlocks = async (
  { world: { client } }: Shop,
  work: (mine: () => Promise<void>) => Promise<void>,
): Promise<void> => {
  await client.setAutomine(false)
  try {
    await work(() => client.mine({ blocks: 1 }))
  } finally {
    await client.setAutomine(true)
    await client.mine({ blocks: 1 })
  }
}
