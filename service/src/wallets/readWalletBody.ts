import { CreateWalletBody, type WalletType } from 'kassa/schema'
import * as z from 'zod/mini'
import { ServiceError } from '../errors.js'
import { parseInput } from '../lib/parseInput.js'
import type { WalletRow } from './findWallet.js'

const Typed = z.object({ type: CreateWalletBody.shape.type })

/**
 * Reads the type of a wallet to create.
 *
 * @throws {@link ServiceError} `input-invalid` for a type on Solana.
 */
export const readWalletType = (type: WalletType): WalletRow['type'] => {
  if (type === 'evm-smart-wallet' || type === 'evm-mpc-wallet') return type
  throw new ServiceError('input-invalid', 'type: Solana is not enabled on this deployment')
}

/**
 * Reads the body of a wallet to create. It checks the type first, so that a type that is not enabled is
 * refused as such, without an error about its signer.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field.
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const readWalletBody = (body: unknown): CreateWalletBody => {
  readWalletType(parseInput(Typed, body, 'body').type)
  return parseInput(CreateWalletBody, body, 'body')
}
