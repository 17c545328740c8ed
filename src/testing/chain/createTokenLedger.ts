import { type Address, getAddress, isAddressEqual } from 'viem'

/** Which token of which contract, on which chain. */
export type TokenPlace = { chainId: number; contractAddress: Address; tokenId: bigint }

/** Who holds each of the tokens on the test chains (ERC-721). */
export type TokenLedger = {
  /** Puts a contract on a chain. */
  open(chainId: number, contractAddress: Address): void
  isContract(chainId: number, address: Address): boolean
  ownerOf(place: TokenPlace): Address | undefined
  /** What some accounts hold on a chain, in the order in which it came. */
  list(chainId: number, owners: readonly Address[]): TokenPlace[]
  /** Mints a token, or moves it. */
  put(place: TokenPlace, owner: Address): void
  /** @returns What brings everything back to how it is now. */
  save(): () => void
}

const write = (chainId: number, address: Address): string => `${chainId} ${getAddress(address)}`

/** Begins without any token. */
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
      // What comes last stands last.
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
