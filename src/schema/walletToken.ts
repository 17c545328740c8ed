import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { WalletTokenStandard } from './members.js'
import { known, openObject } from './open.js'

/** The metadata of a token in a wallet. */
export const WalletTokenMetadata = openObject({
  name: maybe(z.string()),
  description: maybe(z.string()),
  image: maybe(z.string()),
  animation_url: maybe(z.string()),
  attributes: maybe(z.array(z.unknown())),
  collection: maybe(z.looseObject({})),
})
export type WalletTokenMetadata = z.infer<typeof WalletTokenMetadata>

/**
 * A token of any minter that a wallet holds on its chain. EVM chains set `contractAddress` and `tokenId`,
 * Solana sets `mintHash`.
 *
 * @source interface.md "Wallet token entry"
 */
export const WalletToken = openObject({
  chain: z.string(),
  contractAddress: maybe(z.string()),
  /** A decimal integer. */
  tokenId: maybe(z.string()),
  mintHash: maybe(z.string()),
  metadata: WalletTokenMetadata,
  /** `<chain>:<contractAddress>:<tokenId>` on EVM chains. */
  locator: z.string(),
  tokenStandard: maybe(known<WalletTokenStandard>()),
  /** For ERC-5643 tokens: when the subscription expires (ISO 8601). */
  subscription: maybe(openObject({ expiresAt: z.string() })),
})
export type WalletToken = z.infer<typeof WalletToken>

/** A page of a wallet's tokens. */
export const WalletTokenList = z.array(WalletToken)
export type WalletTokenList = z.infer<typeof WalletTokenList>
