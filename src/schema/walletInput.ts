import * as z from 'zod/mini'
import { evmAddress, scalar } from './hex.js'
import { walletTypes } from './members.js'
import { nameText, text } from './text.js'
import { UserLocator } from './walletLocator.js'

/** The locator from a wallet's answer, accepted so that a client can send the signer back unchanged. */
const locator = z.optional(text(600))

/** A user's own account as the signer. */
export const KeypairSignerInput = z.object({
  type: z.literal('evm-keypair'),
  address: evmAddress,
  locator,
})

/** A user's passkey as the signer. `publicKey` is the point of its P-256 key. */
export const PasskeySignerInput = z.object({
  type: z.literal('evm-passkey'),
  id: z
    .string()
    .check(z.regex(/^[A-Za-z0-9_-]{1,512}={0,2}$/, 'expected the id of the credential, in base64url')),
  publicKey: z.object({ x: scalar, y: scalar }),
  name: z.optional(nameText(200)),
  locator,
})

/**
 * The service as custodian: it keeps the key and signs automatically. The key's address is known once it
 * exists.
 */
export const CustodialSignerInput = z.object({
  type: z.literal('evm-kassa-custodial'),
  address: z.optional(evmAddress),
  locator,
})

/** The same of a wallet on Solana. */
export const SolanaCustodialSignerInput = z.object({
  type: z.literal('solana-kassa-custodial'),
  address: z.optional(text(44)),
  locator,
})

/** The signer of a new wallet, of the kinds that this project's service accepts. */
export const AdminSignerInput = z.discriminatedUnion(
  'type',
  [KeypairSignerInput, PasskeySignerInput, CustodialSignerInput, SolanaCustodialSignerInput],
  'expected evm-keypair, evm-passkey, evm-kassa-custodial or solana-kassa-custodial',
)
export type AdminSignerInput = z.infer<typeof AdminSignerInput>

/**
 * A client's request to create a wallet. Without a signer the service is its custodian.
 *
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const CreateWalletBody = z.object({
  type: z.enum(walletTypes, `expected one of ${walletTypes.join(', ')}`),
  config: z.optional(z.object({ adminSigner: z.optional(AdminSignerInput) })),
  linkedUser: z.optional(UserLocator),
})
export type CreateWalletBody = z.infer<typeof CreateWalletBody>

const custodian = z.string().check(z.regex(/^[a-z0-9]+$/, 'expected the name of a custodian in lower case'))

/** Signers of the interface that other services accept: an account on Solana, or their own custodian. */
export const OtherSignerInput = z.union([
  z.strictObject({ type: z.literal('solana-keypair'), address: text(100), locator }),
  z.strictObject({
    type: z.union([
      z.templateLiteral(['evm-', custodian, '-custodial']),
      z.templateLiteral(['solana-', custodian, '-custodial']),
    ]),
    address: z.optional(text(100)),
    locator,
  }),
])
export type OtherSignerInput = z.infer<typeof OtherSignerInput>

/**
 * A request to create a wallet at any service with the interface. This project's service accepts {@link
 * CreateWalletBody}.
 *
 * @source interface.md "Create wallet", "Other locators"
 */
export type CreateWalletInput = Omit<CreateWalletBody, 'config'> & {
  config?: { adminSigner?: AdminSignerInput | OtherSignerInput | undefined } | undefined
}
