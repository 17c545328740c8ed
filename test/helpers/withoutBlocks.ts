import type { Shop } from './createShop.js'

/** Does something while blocks do not come by themselves. */
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
