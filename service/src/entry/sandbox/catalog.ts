import type { EvmCollectionChain } from 'kassa/schema'

/** A collection of the demonstration shop. */
export type DemoCollection = {
  id: string
  chain: EvmCollectionChain | 'solana'
  name: string
  symbol: string
  description: string
  /** File in `pictures/`. */
  picture: string
  /** Price of one token: a decimal string in whole units of `currency`. */
  price: string
  currency: string
  supplyLimit: number
}

/** The demonstration shop's goods: four small editions, each on another chain. */
export const catalog: readonly DemoCollection[] = [
  {
    id: 'dunes-at-dusk',
    chain: 'base-sepolia',
    name: 'Dunes at Dusk',
    symbol: 'DUNES',
    description:
      'Seven ridges of sand hold the last quarter hour of light. A numbered edition for anyone who has stayed out too long to watch the sky change.',
    picture: 'dunes-at-dusk.svg',
    price: '0.012',
    currency: 'eth',
    supplyLimit: 250,
  },
  {
    id: 'coral-lattice',
    chain: 'polygon-amoy',
    name: 'Coral Lattice',
    symbol: 'CORAL',
    description:
      'A reef seen from above and folded into a pattern: branches that fork, meet and never quite repeat. Drawn once, minted in an edition of five hundred.',
    picture: 'coral-lattice.svg',
    price: '18.50',
    currency: 'usdc',
    supplyLimit: 500,
  },
  {
    id: 'quiet-orbit',
    chain: 'ethereum-sepolia',
    name: 'Quiet Orbit',
    symbol: 'ORBIT',
    description:
      'A pale moon, its rings, and eleven small companions on their way round. The shop’s smallest edition, meant for a dark wall.',
    picture: 'quiet-orbit.svg',
    price: '42',
    currency: 'usdc',
    supplyLimit: 100,
  },
  {
    id: 'night-ferry',
    chain: 'solana',
    name: 'Night Ferry',
    symbol: 'FERRY',
    description:
      'The last boat of the day crosses a still fjord with every lamp on, and the water keeps a second copy of each. An edition of three hundred.',
    picture: 'night-ferry.svg',
    price: '0.15',
    currency: 'sol',
    supplyLimit: 300,
  },
]
