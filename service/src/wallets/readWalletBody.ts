import { CreateWalletBody, type WalletType } from 'kassa/schema'
import * as z from 'zod/mini'
import { ServiceError } from '../errors.js'
import { parseInput } from '../http/parseInput.js'
import type { WalletRow } from './findWallet.js'

const Typed = z.object({ type: CreateWalletBody.shape.type })

/**
 * Reads of which type a wallet is to be.
 *
 * @throws {@link ServiceError} `input-invalid` for one on Solana.
 */
export const readWalletType = (type: WalletType): WalletRow['type'] => {
  if (type === 'evm-smart-wallet' || type === 'evm-mpc-wallet') return type
  throw new ServiceError('input-invalid', 'type: Solana is not enabled on this deployment')
}

/**
 * Reads a wallet that is asked for: its type first, so that nobody is told which signer a wallet takes that there is
 * not.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field.
 * @source interface.md "Create wallet"; answers.md "Wallets and transactions"
 */
export const readWalletBody = (body: unknown): CreateWalletBody => {
  readWalletType(parseInput(Typed, body, 'body').type)
  return parseInput(CreateWalletBody, body, 'body')
}
