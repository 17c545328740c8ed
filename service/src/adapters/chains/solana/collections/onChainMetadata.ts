import type { OnChainMetadata } from './mintInstructions.js'

/** Longer texts leave no room for the rest in a transaction. The token's JSON has them whole. @units bytes */
const maxBytes = { name: 64, symbol: 10 }

/** The longest name that Bubblegum takes. @units bytes */
const maxCompressedName = 32

const clipBytes = (text: string, limit: number): string => {
  let clipped = ''
  for (const character of text) {
    if (Buffer.byteLength(clipped + character) > limit) return clipped
    clipped += character
  }
  return clipped
}

type GivenMetadata = { name?: string | undefined; symbol?: string | undefined; uri: string }

/** Returns what a mint says of itself, in texts that fit into its transaction. */
export const toOnChain = ({ name = '', symbol = '', uri }: GivenMetadata): OnChainMetadata => ({
  name: clipBytes(name, maxBytes.name),
  symbol: clipBytes(symbol, maxBytes.symbol),
  uri,
})

/** Returns what a compressed token says of itself. */
export const toCompressed = (metadata: GivenMetadata): OnChainMetadata => ({
  ...toOnChain(metadata),
  name: clipBytes(metadata.name ?? '', maxCompressedName),
})
