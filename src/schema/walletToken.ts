import * as z from 'zod/mini'
import type { WalletTokenStandard } from './members.js'
import { open } from './open.js'

/** What wallets show of a token that one of them holds. */
export const WalletTokenMetadata = z.looseObject({
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  image: z.optional(z.string()),
  animation_url: z.optional(z.string()),
  attributes: z.optional(z.array(z.unknown())),
  collection: z.optional(z.looseObject({})),
})
export type WalletTokenMetadata = z.infer<typeof WalletTokenMetadata>

/**
 * A token that a wallet holds on its chain, whoever minted it. EVM chains tell `contractAddress` and `tokenId`,
 * Solana tells `mintHash`.
 *
 * @source interface.md "Wallet token entry"
 */
export const WalletToken = z.looseObject({
  chain: z.string(),
  contractAddress: z.optional(z.string()),
  /** A decimal integer. */
  tokenId: z.optional(z.string()),
  mintHash: z.optional(z.string()),
  metadata: WalletTokenMetadata,
  /** `<chain>:<contractAddress>:<tokenId>` on EVM chains. */
  locator: z.string(),
  tokenStandard: z.optional(open<WalletTokenStandard>()),
  /** Of ERC-5643 tokens: until when it runs (ISO 8601). */
  subscription: z.optional(z.looseObject({ expiresAt: z.string() })),
})
export type WalletToken = z.infer<typeof WalletToken>

/** A page of the tokens that a wallet holds. */
export const WalletTokenList = z.array(WalletToken)
export type WalletTokenList = z.infer<typeof WalletTokenList>
