import * as z from 'zod/mini'
import { evmAddress, scalar } from './hex.js'
import { walletTypes } from './members.js'
import { text } from './text.js'
import { UserLocator } from './walletLocator.js'

/** A wallet of the user's own that signs: an account of theirs. */
export const KeypairSignerInput = z.strictObject({ type: z.literal('evm-keypair'), address: evmAddress })

/** A passkey of the user's. `publicKey` is the point of its P-256 key. */
export const PasskeySignerInput = z.strictObject({
  type: z.literal('evm-passkey'),
  id: z
    .string()
    .check(z.regex(/^[A-Za-z0-9_-]{1,512}=*$/, 'expected the id of the credential, in base64url')),
  publicKey: z.strictObject({ x: scalar, y: scalar }),
  name: z.optional(text(200)),
})

/** The service as custodian: it keeps the key and signs by itself. */
export const CustodialSignerInput = z.strictObject({ type: z.literal('evm-kassa-custodial') })

/** Who is to control a wallet. */
export const AdminSignerInput = z.discriminatedUnion(
  'type',
  [KeypairSignerInput, PasskeySignerInput, CustodialSignerInput],
  'expected evm-keypair, evm-passkey or evm-kassa-custodial',
)
export type AdminSignerInput = z.infer<typeof AdminSignerInput>

/**
 * What a client sends to create a wallet. Without a signer the service is its custodian.
 *
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const CreateWalletBody = z.object({
  type: z.enum(walletTypes, `expected one of ${walletTypes.join(', ')}`),
  config: z.optional(z.object({ adminSigner: z.optional(AdminSignerInput) })),
  linkedUser: z.optional(UserLocator),
})
export type CreateWalletBody = z.infer<typeof CreateWalletBody>
