import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { SignerType, WalletType } from './members.js'
import { known, openObject } from './open.js'

/** The signer that controls a wallet. Transactions name it by its `locator`. */
export const AdminSigner = openObject({
  type: known<SignerType>(),
  /** For accounts, including the custodian's. */
  address: maybe(z.string()),
  /** For passkeys: the credential's id, as the browser returns it (base64url). */
  id: maybe(z.string()),
  /** For passkeys: the point of the public key, `0x` and 64 hex digits each. */
  publicKey: maybe(openObject({ x: z.string(), y: z.string() })),
  /** For passkeys: the user's name for it. */
  name: maybe(z.string()),
  locator: maybe(z.string()),
})
export type AdminSigner = z.infer<typeof AdminSigner>

/**
 * A wallet of a user or of an application.
 *
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const Wallet = openObject({
  type: known<WalletType>(),
  /** The same on every EVM chain, whether the wallet is deployed there or not. */
  address: z.string(),
  config: maybe(openObject({ adminSigner: maybe(AdminSigner) })),
  /** Such as `email:ada@example.com`. */
  linkedUser: maybe(z.string()),
  /** ISO 8601. */
  createdAt: maybe(z.union([z.string(), z.number()])),
})
export type Wallet = z.infer<typeof Wallet>
