import { type ChainFamily, chainFamilyOf } from 'kassa/engine'

/** What the collections of a family of chains can do. */
type CollectionFeatures = {
  /** The standard of tokens as the interface names it. `by-kind` if it follows from the kind of the collection. */
  standard: 'by-kind' | 'token-2022' | undefined
  /** The field of the interface that has a collection's address. */
  addressField: 'contractAddress' | 'mintAddress'
  /** Whether a token can have many copies. */
  isSemiFungible: boolean
  /** Whether tokens can be subscriptions, which expire. */
  hasSubscriptions: boolean
  /** Whether tokens can be leaves of a tree, where the chain has its program: `compresses` of the port. */
  isCompressible: boolean
  /** Whether a token can have a symbol beside that of its collection. */
  hasTokenSymbols: boolean
  /** Whether each token fixes at its mint if it can be transferred. */
  fixesTransferable: boolean
}

const ofContracts: CollectionFeatures = {
  standard: 'by-kind',
  addressField: 'contractAddress',
  isSemiFungible: true,
  hasSubscriptions: true,
  isCompressible: false,
  hasTokenSymbols: false,
  fixesTransferable: false,
}

const features: Readonly<Record<ChainFamily, CollectionFeatures>> = {
  evm: ofContracts,
  solana: {
    standard: 'token-2022',
    addressField: 'mintAddress',
    isSemiFungible: true,
    hasSubscriptions: false,
    isCompressible: true,
    hasTokenSymbols: true,
    fixesTransferable: true,
  },
  // The interface names collections there. No adapter serves them.
  aptos: { ...ofContracts, standard: undefined, isSemiFungible: false, hasSubscriptions: false },
}

/** Returns what collections on a chain can do, whether or not the deployment has the chain. */
export const featuresOf = (chain: string): CollectionFeatures => features[chainFamilyOf(chain) ?? 'aptos']

/** Explains why tokens on a chain cannot have a symbol, or returns `undefined` if they can. */
export const explainSymbol = (chain: string, symbol: string | undefined): string | undefined =>
  symbol === undefined || featuresOf(chain).hasTokenSymbols
    ? undefined
    : 'metadata.symbol: is for Solana only'
