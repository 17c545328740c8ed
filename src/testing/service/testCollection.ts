import type { BuyerDetail } from '../../schema/members.js'
import type { SaleRules } from '../../schema/saleInput.js'
import type { TestChainName } from '../network.js'
import { pictures } from '../pictures.js'

/** A collection of the test service. @units `price` is a decimal string in whole units of `currency` */
export type TestCollection = {
  id: string
  name?: string
  description?: string
  imageUrl?: string
  /** The chain of its tokens. By default base-sepolia. */
  chain?: TestChainName
  /** Without a price it is not for sale. */
  price?: string
  /** The currency of the price. By default eth, on Solana sol. */
  currency?: string
  /** Its supply. By default unlimited. */
  supply?: number
  /** The rules of its sale. An allow-list names addresses: a Merkle root is not read. */
  sale?: SaleRules
  /** The buyer's details that an order of it requires before payment. */
  requires?: readonly BuyerDetail[]
  /** Templates that can be bought as `kassa:<id>:<template>`, at the collection's price. */
  templates?: Readonly<Record<string, Pick<TestCollection, 'name' | 'description' | 'imageUrl' | 'supply'>>>
}

/** The sandbox's collections, so that a storefront built against a sandbox finds the same goods here. */
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

/** A collection's current supply and price. */
export type StockedCollection = Required<
  Pick<TestCollection, 'id' | 'chain' | 'name' | 'description' | 'imageUrl' | 'currency'>
> &
  Pick<TestCollection, 'price' | 'requires' | 'sale' | 'supply' | 'templates'> & {
    /** Whether none of it can be sold or minted any more. */
    isSoldOut: boolean
    /** The number sold, by template. The empty name counts all. */
    sold: Map<string, number>
    lastTokenId: number
  }

/** Adds a collection to the stock. */
export const stock = (collection: TestCollection): StockedCollection => ({
  name: collection.id,
  description: '',
  imageUrl: pictures.bloom,
  chain: 'base-sepolia',
  currency: collection.chain === 'solana' ? 'sol' : 'eth',
  ...collection,
  isSoldOut: false,
  sold: new Map(),
  lastTokenId: 0,
})
