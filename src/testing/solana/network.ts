import { hexToBytes, sha256, stringToBytes } from 'viem'
import type { SolanaToken } from '../../chain/solana/tokens.js'
import { solDecimals } from '../../chain/solana/tokens.js'
import { encodeBase58 } from '../../engine/solana/base58.js'

/** Returns a Solana address that stands for a name, the same one each time. */
export const nameSolanaAddress = (name: string): string =>
  encodeBase58(hexToBytes(sha256(stringToBytes(`kassa test ${name}`))))

/** The operator of the test service on Solana: the address of a key, from which those of all orders follow. */
export const operator = nameSolanaAddress('merchant')

/** The tokens that the test service takes on Solana, by currency. */
export const solanaTokens: Readonly<Record<string, SolanaToken>> = {
  usdc: { address: nameSolanaAddress('usdc'), decimals: 6 },
  usdxm: { address: nameSolanaAddress('usdxm'), decimals: 6 },
}

/** A currency on Solana. SOL has no mint. */
export type SolanaCurrency = { currency: string; decimals: number; mint: string | undefined }

/** Every currency of the test cluster, SOL first. */
export const solanaCurrencies: readonly SolanaCurrency[] = [
  { currency: 'sol', decimals: solDecimals, mint: undefined },
  ...Object.entries(solanaTokens).map(([currency, { address, decimals }]) => ({
    currency,
    decimals,
    mint: address,
  })),
]

/** Finds a currency of the test cluster by its name. */
export const requireSolanaCurrency = (name: string): SolanaCurrency => {
  const known = solanaCurrencies.find(({ currency }) => currency === name)
  if (known) return known
  throw new Error(`The test cluster knows no currency ${name}`)
}

/** The CAIP-2 id of the test cluster, which presents itself as devnet. */
export const solanaCaip2 = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

/** The program of the collections' tokens. */
export const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
