import type { EvmChainName } from '../../schema/chains.js'
import type { BuyerDetail } from '../../schema/members.js'
import { pictures } from '../pictures.js'

/** What the test service sells. @units `price` is a decimal string in whole units of `currency` */
export type TestCollection = {
  id: string
  name?: string
  description?: string
  imageUrl?: string
  /** Where its tokens are minted: base-sepolia by default. */
  chain?: EvmChainName
  /** Without one it is not for sale. */
  price?: string
  /** Of the price: eth by default. */
  currency?: string
  /** How many there are to sell; without end by default. */
  supply?: number
  /** What an order of it has to name of its buyer before it can be paid. */
  requires?: readonly BuyerDetail[]
  /** What can be bought as `kassa:<id>:<template>`, at the price of the collection. */
  templates?: Readonly<Record<string, Pick<TestCollection, 'name' | 'description' | 'imageUrl' | 'supply'>>>
}

/** What the sandbox sells too, so that a storefront that was made against one finds the same goods here. */
export const defaultCollections: readonly TestCollection[] = [
  {
    id: 'dunes-at-dusk',
    name: 'Dunes at Dusk',
    description: 'Seven ridges of sand hold the last quarter hour of light.',
    imageUrl: pictures.ridge,
    price: '0.012',
    supply: 250,
  },
  {
    id: 'coral-lattice',
    chain: 'polygon-amoy',
    name: 'Coral Lattice',
    description: 'A reef seen from above and folded into a pattern.',
    imageUrl: pictures.bloom,
    price: '18.50',
    currency: 'usdc',
    supply: 500,
  },
  {
    id: 'quiet-orbit',
    chain: 'ethereum-sepolia',
    name: 'Quiet Orbit',
    description: 'A pale moon, its rings, and eleven small companions on their way round.',
    imageUrl: pictures.tide,
    price: '42',
    currency: 'usdc',
    supply: 100,
  },
]

/** A collection as it stands now: what is left of it and what it costs. */
export type StockedCollection = Required<
  Pick<TestCollection, 'id' | 'chain' | 'name' | 'description' | 'imageUrl' | 'currency'>
> &
  Pick<TestCollection, 'price' | 'requires' | 'supply' | 'templates'> & {
    /** Whether nothing of it can be sold or minted any more. */
    isSoldOut: boolean
    /** How many are sold, by template; the empty name counts all. */
    sold: Map<string, number>
    lastTokenId: number
  }

/** Puts a collection on the shelf. */
export const stock = (collection: TestCollection): StockedCollection => ({
  name: collection.id,
  description: '',
  imageUrl: pictures.bloom,
  chain: 'base-sepolia',
  currency: 'eth',
  ...collection,
  isSoldOut: false,
  sold: new Map(),
  lastTokenId: 0,
})
