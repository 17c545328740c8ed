import { type Address, getAddress, isAddressEqual } from 'viem'

/** A token's contract, id and chain. */
export type TokenPlace = { chainId: number; contractAddress: Address; tokenId: bigint }

/** The owners of the tokens on the test chains (ERC-721). */
export type TokenLedger = {
  /** Deploys a contract on a chain. */
  open(chainId: number, contractAddress: Address): void
  isContract(chainId: number, address: Address): boolean
  ownerOf(place: TokenPlace): Address | undefined
  /** Lists the tokens of some accounts on a chain, in the order in which they arrived. */
  list(chainId: number, owners: readonly Address[]): TokenPlace[]
  /** Mints or moves a token. */
  put(place: TokenPlace, owner: Address): void
  /** @returns A function that restores the current owners. */
  save(): () => void
}

const write = (chainId: number, address: Address): string => `${chainId} ${getAddress(address)}`

/** Creates a ledger without tokens. */
export const createTokenLedger = (): TokenLedger => {
  const contracts = new Set<string>()
  let tokens = new Map<string, { place: TokenPlace; owner: Address }>()
  const key = ({ chainId, contractAddress, tokenId }: TokenPlace): string =>
    `${write(chainId, contractAddress)} ${tokenId}`
  return {
    open: (chainId, contractAddress) => void contracts.add(write(chainId, contractAddress)),
    isContract: (chainId, address) => contracts.has(write(chainId, address)),
    ownerOf: (place) => tokens.get(key(place))?.owner,
    list: (chainId, owners) =>
      [...tokens.values()].flatMap(({ place, owner }) =>
        place.chainId === chainId && owners.some((one) => isAddressEqual(one, owner)) ? [place] : [],
      ),
    put: (place, owner) => {
      // Re-inserted, because the latest token comes last.
      tokens.delete(key(place))
      tokens.set(key(place), { place, owner: getAddress(owner) })
    },
    save: () => {
      const saved = new Map(tokens)
      return () => {
        tokens = saved
      }
    },
  }
}
