import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import type { EvmSignerType, WalletType } from './members.js'
import { open } from './open.js'

/** Who controls a wallet. `locator` is how transactions name it. */
export const AdminSigner = z.looseObject({
  type: open<EvmSignerType>(),
  /** Of accounts, the custodian's too. */
  address: maybe(z.string()),
  /** Of passkeys: the credential's id, as the browser tells it (base64url). */
  id: maybe(z.string()),
  /** Of passkeys: the point of the public key, `0x` and 64 hex digits each. */
  publicKey: maybe(z.looseObject({ x: z.string(), y: z.string() })),
  /** Of passkeys: what the user calls it. */
  name: maybe(z.string()),
  locator: maybe(z.string()),
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
  config: maybe(z.looseObject({ adminSigner: maybe(AdminSigner) })),
  /** Such as `email:ada@example.com`. */
  linkedUser: maybe(z.string()),
  /** ISO 8601. */
  createdAt: maybe(z.union([z.string(), z.number()])),
})
export type Wallet = z.infer<typeof Wallet>
