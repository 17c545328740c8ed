import * as z from 'zod/mini'
import type { EvmSignerType, WalletType } from './members.js'
import { open } from './open.js'

/** Who controls a wallet. `locator` is how transactions name it. */
export const AdminSigner = z.looseObject({
  type: open<EvmSignerType>(),
  /** Of accounts, the custodian's too. */
  address: z.optional(z.string()),
  /** Of passkeys: the credential's id, as the browser tells it (base64url). */
  id: z.optional(z.string()),
  /** Of passkeys: the point of the public key, `0x` and 64 hex digits each. */
  publicKey: z.optional(z.looseObject({ x: z.string(), y: z.string() })),
  /** Of passkeys: what the user calls it. */
  name: z.optional(z.string()),
  locator: z.optional(z.string()),
})
export type AdminSigner = z.infer<typeof AdminSigner>

/**
 * A wallet of a user's, or of an application's own.
 *
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const Wallet = z.looseObject({
  type: open<WalletType>(),
  /** The same on every EVM chain, whether anything stands there yet or not. */
  address: z.string(),
  config: z.optional(z.looseObject({ adminSigner: z.optional(AdminSigner) })),
  /** Such as `email:ada@example.com`. */
  linkedUser: z.optional(z.string()),
  /** ISO 8601. */
  createdAt: z.optional(z.union([z.string(), z.number()])),
})
export type Wallet = z.infer<typeof Wallet>
